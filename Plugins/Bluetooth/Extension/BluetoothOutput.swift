import Foundation
import PlaybackKit

extension BluetoothAudioDevice {
    /// The device as people see it; the same identifier on every adapter and every machine.
    var output: MediaOutputDevice? {
        guard let place = URL(string: "bluetooth:\(address.replacing(":", with: "-"))") else { return nil }
        var output = MediaOutputDevice(
            id: outputIdentifier, displayName: name, capabilities: .realtimeAudioStreaming,
            canGroupWithCurrentlyActivatedDevices: false, deviceType: deviceType, volumeControl: .absolute,
            canMute: false, requiredNetworkEndpoints: [.url(place)],
            txtRecords: [NWTXTRecord(facts)], supportsSimultaneousSessions: true)
        // The least time that waits in the sound server and its output. The device's own isn't known.
        output?.leastLatency = 0.1
        output?.usualLatency = 0.3
        output?.deduplicationIdentifiers = ["bluetooth:" + address.filter(\.isHexDigit).lowercased()]
        return output
    }

    /// The same before and after it is paired.
    var outputIdentifier: UUID { UUID(version5: "bluetooth:" + firstAddress.uppercased()) }

    private var facts: [String: String] {
        var facts = ["kind": kind.rawValue, "paired": isPaired ? "yes" : "no", "connected": isConnected ? "yes" : "no"]
        facts["signal"] = signalStrength.map { "\($0) dBm" }
        facts["battery"] = batteryLevel.map { "\($0) %" }
        return facts
    }

    private var deviceType: MediaOutputDevice.DeviceType {
        switch kind {
        case .television, .display: .tv
        default: .hifiSpeaker
        }
    }

    /// The secret that the host stores in place of the key, which bluetoothd keeps.
    var bond: Data { Data("bluetooth-bond \(address)".utf8) }
}

extension BluetoothAudioError {
    var sentence: String { [message, remedy].compactMap { $0 }.joined(separator: " ") }
}

extension MediaDeviceError {
    init(_ error: BluetoothAudioError) {
        let sentence = error.sentence
        switch error.code {
        case "authentication-failed", "authentication-cancelled", "authentication-timed-out":
            self.init(.authorizationFailed, reason: sentence)
        case "authentication-rejected":
            self.init(.authorizationFailed, detail: .deviceRefused, reason: sentence)
        case "unreachable", "no-such-device", "not-connected":
            self.init(.connectionFailed, reason: sentence)
        case "in-progress": self.init(.deviceInUse, reason: sentence)
        default: self.init(.connectionFailed, detail: Detail(rawValue: error.code), reason: sentence)
        }
    }
}
