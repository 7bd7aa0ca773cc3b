import Foundation
import HostClient
import HostInterface

/// Devices as a table for people.
struct DeviceTable {
    let devices: [ClientDevice]

    func lines(width: Int, terminal: Terminal = .output) -> [String] {
        // Show a column only if at least one device has a value for it.
        let hasSignals = devices.contains { $0.signalStrength != nil }
        let hasBatteries = devices.contains { $0.batteryLevel != nil }
        let rows = devices.map { device in
            var row = [
                Table.Cell(DisplayText.clean(device.name), .heading),
                Table.Cell(DisplayText.clean(Self.kind(device.type))),
                Table.Cell(DisplayText.clean(device.ways)), Table.Cell(Self.address(device), .dim),
                Self.state(device),
            ]
            if hasSignals { row.append(Table.Cell(device.signalStrength.map { "\($0) dBm" } ?? "")) }
            if hasBatteries { row.append(Table.Cell(device.batteryLevel.map { "\($0) %" } ?? "")) }
            return row + [Table.Cell(String(device.id.prefix(8)).lowercased(), .dim)]
        }
        let headings =
            ["NAME", "KIND", "VIA", "ADDRESS", "STATE"] + (hasSignals ? ["SIGNAL"] : [])
            + (hasBatteries ? ["BATTERY"] : []) + ["ID"]
        return Table(headings: headings, rows: rows).lines(width: width) { $0($1, on: terminal) }
    }

    static func kind(_ type: String) -> String { type.replacing("-", with: " ") }

    /// The host part of the first endpoint, or the address of a Bluetooth device.
    static func address(_ device: ClientDevice) -> String {
        guard let endpoint = device.endpoints.first else { return "" }
        if endpoint.hasPrefix("bluetooth:") {
            return DisplayText.clean(String(endpoint.dropFirst("bluetooth:".count)).replacing("-", with: ":"))
        }
        var text = endpoint[...]
        if let scheme = text.range(of: "://") { text = text[scheme.upperBound...].prefix { $0 != "/" } }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            text = text[...end]
        } else if let colon = text.lastIndex(of: ":") {
            text = text[..<colon]
        }
        return DisplayText.clean(String(text))
    }

    private static func pairing(_ device: ClientDevice) -> String { device.isPaired ? ", paired" : "" }

    /// Returns the availability of the device and its current use.
    static func state(_ device: ClientDevice) -> Table.Cell {
        switch (device.availability, device.activation) {
        case ("unreachable", _): Table.Cell("unreachable", .bad)
        case (_, "active"): Table.Cell(device.group.isEmpty ? "in use" : "in use, grouped", .accent)
        case (_, "reconnecting"): Table.Cell("reconnecting", .warning)
        case (_, "activating"): Table.Cell("connecting", .warning)
        case (_, "awaiting-code"): Table.Cell("waits for code", .warning)
        case ("checking", _): Table.Cell("checking" + pairing(device), .warning)
        case ("remembered", _): Table.Cell("remembered" + pairing(device), .dim)
        default: Table.Cell("ready" + pairing(device), .good)
        }
    }
}
