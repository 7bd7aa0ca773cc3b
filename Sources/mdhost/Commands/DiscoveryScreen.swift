import HostClient
import HostInterface

/// Shows devices while they come: a live table on a terminal, a final table in a pipe, JSON Lines when watched with `--json`.
struct DiscoveryScreen {
    /// One line of `discover --watch --json`.
    private struct Change: Encodable {
        var event: String
        var device: ClientDevice
    }

    private let output: Output
    private let isWatching: Bool
    /// A Boolean value that indicates whether scripts read the output.
    private let isPlain: Bool
    private var region: LiveRegion?

    init(output: Output, isWatching: Bool, isPlain: Bool = false) {
        self.output = output
        self.isWatching = isWatching
        self.isPlain = isPlain
        region = Terminal.output.isInteractive && !output.isJSON && !isPlain ? LiveRegion(.output) : nil
    }

    mutating func start(_ view: HostView) throws {
        if isWatching, output.isJSON {
            for device in view.sortedDevices { try output.json(Change(event: "found", device: device)) }
        }
        draw(view, isOver: false)
    }

    mutating func show(_ event: HostEvent, _ view: HostView) throws {
        if isWatching, output.isJSON || region == nil {
            switch event {
            case .device(let device): try tell("found", "+", device)
            case .deviceRemoved(let device): try tell("lost", "-", device)
            default: break
            }
        }
        draw(view, isOver: false)
    }

    mutating func finish(_ view: HostView) throws {
        if region != nil {
            draw(view, isOver: true)
            region?.finish()
        } else if !isWatching {
            if output.isJSON {
                try output.json(view.sortedDevices)
            } else if isPlain {
                for device in view.sortedDevices {
                    let fields = [device.id, device.name, device.ways, DeviceTable.state(device).text]
                    output.line(fields.map(DisplayText.clean).joined(separator: "\t"))
                }
            } else if !view.devices.isEmpty {
                // A pipe has no width: nothing is cut.
                for line in DeviceTable(devices: view.sortedDevices).lines(width: .max) { output.line(line) }
            }
        }
    }

    private func tell(_ event: String, _ sign: String, _ device: ClientDevice) throws {
        if output.isJSON {
            try output.json(Change(event: event, device: device))
        } else {
            // A device that is found again may only be remembered by now.
            let state = event == "found" ? [DeviceTable.state(device).text] : []
            let fields = ([device.name, device.ways, device.id] + state).map(DisplayText.clean)
            output.line("\(sign) " + fields.joined(separator: "\t"))
        }
    }

    private mutating func draw(_ view: HostView, isOver: Bool) {
        guard region != nil else { return }
        var lines: [String] = []
        if !view.devices.isEmpty {
            lines = DeviceTable(devices: view.sortedDevices).lines(width: Terminal.output.width)
        }
        if !isOver { lines.append(Style.dim(isWatching ? "watching, Ctrl-C ends" : "looking around …")) }
        region?.draw(lines)
    }
}
