/// The kind of a device, from its class or its appearance.
package enum BluetoothDeviceKind: String, Sendable, CaseIterable {
    case speaker, soundbar, headphones, headset, earbuds, hearingAid, carAudio, receiver, television, display
    case phone, computer, portablePlayer, other

    /// A Boolean value that indicates whether devices of this kind play audio or video.
    package var isRendering: Bool {
        switch self {
        case .speaker, .soundbar, .headphones, .headset, .earbuds, .hearingAid, .carAudio, .receiver, .television,
            .display:
            true
        case .phone, .computer, .portablePlayer, .other: false
        }
    }

    /// - Parameter classOfDevice: 24 bits (Bluetooth Assigned Numbers, 2.8: service classes, major, minor, format).
    package init(classOfDevice: UInt32) {
        let major = classOfDevice >> 8 & 0x1f
        let minor = classOfDevice >> 2 & 0x3f
        self =
            switch (major, minor) {
            case (1, _): .computer
            case (2, _): .phone
            case (4, 1), (4, 2), (4, 16): .headset
            case (4, 5): .speaker
            case (4, 6): .headphones
            case (4, 7): .portablePlayer
            case (4, 8): .carAudio
            case (4, 9), (4, 10): .receiver
            case (4, 14): .display
            case (4, 15): .television
            default: .other
            }
    }

    /// - Parameter appearance: An advertised value (Bluetooth Assigned Numbers, 2.6: category in the upper ten bits).
    package init(appearance: UInt16) {
        self =
            switch (appearance >> 6, appearance & 0x3f) {
            case (0x01, _): .phone
            case (0x02, _): .computer
            case (0x0a, _): .portablePlayer
            case (0x21, 2): .soundbar
            case (0x21, _): .speaker
            case (0x25, 1): .earbuds
            case (0x25, 3): .headphones
            case (0x25, _): .headset
            case (0x27, _): .receiver
            case (0x28, 1): .television
            case (0x28, _): .display
            case (0x29, _): .hearingAid
            default: .other
            }
    }
}

extension BluetoothDevice {
    /// The kind from the device's class, else from its appearance, else from its profiles.
    package var kind: BluetoothDeviceKind {
        let kinds = [
            classOfDevice.map { BluetoothDeviceKind(classOfDevice: $0) },
            appearance.map { BluetoothDeviceKind(appearance: $0) },
        ]
        if let known = kinds.lazy.compactMap({ $0 }).first(where: { $0 != .other }) { return known }
        return hasAudioSinkProfile ? .speaker : .other
    }

    /// A Boolean value that indicates whether the device declares a profile for receiving audio: A2DP or LE Audio.
    package var hasAudioSinkProfile: Bool {
        uuids.contains(.audioSink) || uuids.contains(.audioStreamControl)
            || uuids.contains(.publishedAudioCapabilities)
    }

    /// A Boolean value that indicates whether the device accepts audio. Profiles become known late. Until then the
    /// class decides: a rendering audio device (service class bit 18).
    package var isAudioSink: Bool {
        if hasAudioSinkProfile { return true }
        guard let classOfDevice else { return false }
        return BluetoothDeviceKind(classOfDevice: classOfDevice).isRendering && classOfDevice & 1 << 18 != 0
    }
}
