import BlueZ
import HostInterface

/// The devices that a browse has reported, with their state.
struct DeviceStates {
    private var told: [String: BluetoothDeviceState] = [:]
    private var waiting: BlueZError?
    private var isReady = false

    /// Returns the reports for an update.
    mutating func apply(_ update: BlueZUpdate) -> [BluetoothAnswer] {
        var answers: [BluetoothAnswer] = []
        if let obstacle = Self.obstacle(update) {
            isReady = false
            if waiting != obstacle { answers.append(BluetoothAnswer(obstacle, .waiting)) }
            waiting = obstacle
        } else if !isReady {
            isReady = true
            waiting = nil
            answers.append(BluetoothAnswer(.ready))
        }
        // While bluetoothd itself is unchanged, compare only changed devices: hundreds may be around.
        let changed = Set(update.changed.compactMap { update.tree.device(owning: $0) ?? $0 })
        for id in changed.sorted() {
            if let device = update.tree.device(id), device.isAudioSink {
                let state = BluetoothDeviceState(device, in: update.tree)
                guard told.updateValue(state, forKey: state.id) != state else { continue }
                answers.append(.device(state))
            } else if told.removeValue(forKey: id.rawValue) != nil {
                answers.append(.lost(id.rawValue))
            }
        }
        return answers
    }

    /// Returns the reason why no device can be used at the moment; `nil` if there is none.
    static func obstacle(_ update: BlueZUpdate) -> BlueZError? {
        switch update.state {
        case .connecting: return BlueZError(.notRunning, "bluetoothd is being awaited.")
        case .unavailable(let error): return error
        case .running: break
        }
        let adapters = update.tree.adapters
        if adapters.isEmpty { return BlueZError(.noAdapter, "This machine has no Bluetooth adapter.") }
        if adapters.contains(where: \.isPowered) { return nil }
        return adapters.contains(where: \.isBlocked)
            ? BlueZError(.blocked, "Bluetooth is blocked.") : BlueZError(.notPowered, "Bluetooth is switched off.")
    }
}

extension BluetoothDeviceState {
    init(_ device: BluetoothDevice, in tree: BlueZTree) {
        let transports = tree.transports(of: device.id)
        let volume = transports.lazy.compactMap(\.volume).first
        self.init(
            id: device.id.rawValue, address: device.address, firstAddress: device.firstAddress, name: device.alias,
            kind: device.kind.rawValue.hyphenated,
            isPaired: device.isPaired, isConnected: device.isConnected, hasLegacyPairing: device.hasLegacyPairing,
            signalStrength: device.signalStrength.map { $0 / 5 * 5 }, volume: volume.map { Double($0) / 127 },
            batteryLevel: tree.batteryLevel(of: device.id), hasTransport: !transports.isEmpty)
    }
}

extension BluetoothAnswer {
    init(_ error: BlueZError, _ kind: Kind) {
        self.init(kind)
        code = error.code.rawValue.hyphenated
        message = error.sentence
        remedy = error.remedy
    }
}

extension BlueZError {
    /// The error as a sentence for people, because bluetoothd's own text isn't clear to them.
    var sentence: String {
        switch code {
        case .authenticationFailed: "The device refused the code, or isn't in pairing mode."
        case .authenticationRejected: "The device refused to be paired."
        case .authenticationCancelled: "The pairing was cancelled."
        case .authenticationTimedOut: "Nobody answered the device in time."
        case .unreachable: "The device does not answer."
        case .noProfile: "No sound server of this machine takes part in Bluetooth, so that there is nothing to connect."
        case .notConnected: "The device is not connected."
        case .inProgress: "The device is busy with another attempt."
        case .noSuchDevice: "Bluetooth no longer knows the device."
        case .timedOut: "bluetoothd did not answer in time."
        default: message.hasSuffix(".") ? message : message + "."
        }
    }
}
