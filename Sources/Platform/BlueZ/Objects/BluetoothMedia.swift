import DBus

/// A stream of sound between this machine and a device (`org.bluez.MediaTransport1`).
package struct BluetoothTransport: Sendable, Hashable, Identifiable {
    static let interface = "org.bluez.MediaTransport1"

    package enum State: String, Sendable { case idle, pending, active }

    package let id: BlueZIdentifier
    package let device: BlueZIdentifier
    /// The profile of the *remote* side: ``BluetoothUUID/audioSink`` when the device plays.
    package let profile: BluetoothUUID?
    package let state: State
    /// 0...127, both ways; `nil` for a device without absolute volume.
    package let volume: Int?

    init?(_ id: BlueZIdentifier, _ values: [String: DBusValue]) {
        guard let device = values["Device"].identifier else { return nil }
        self.id = id
        self.device = device
        profile = values["UUID"]?.asString.flatMap { BluetoothUUID($0) }
        state = values["State"]?.asString.flatMap { State(rawValue: $0) } ?? .idle
        volume = values["Volume"].unsigned(Int.self).map { min(max($0, 0), 127) }
    }
}

/// A player on the device itself, controlled by AVRCP (`org.bluez.MediaPlayer1`).
package struct BluetoothPlayer: Sendable, Hashable, Identifiable {
    static let interface = "org.bluez.MediaPlayer1"

    package enum Status: String, Sendable {
        case playing, stopped, paused, error
        case forwardSeek = "forward-seek"
        case reverseSeek = "reverse-seek"
    }

    package struct Track: Sendable, Hashable {
        package let title: String?
        package let artist: String?
        package let album: String?
        package let duration: Duration?
    }

    package let id: BlueZIdentifier
    package let device: BlueZIdentifier
    package let name: String?
    package let status: Status
    /// As of the last change of the status or the track.
    package let position: Duration?
    package let track: Track

    private static let unknown: UInt32 = .max

    init?(_ id: BlueZIdentifier, _ values: [String: DBusValue]) {
        guard let device = values["Device"].identifier else { return nil }
        self.id = id
        self.device = device
        name = values["Name"]?.asString
        status = values["Status"]?.asString.flatMap { Status(rawValue: $0) } ?? .stopped
        position = Self.time(values["Position"])
        let track = values["Track"]?.asDictionary ?? [:]
        self.track = Track(
            title: track["Title"]?.asString, artist: track["Artist"]?.asString, album: track["Album"]?.asString,
            duration: Self.time(track["Duration"]))
    }

    private static func time(_ value: DBusValue?) -> Duration? {
        value.unsigned(UInt32.self).flatMap { $0 == unknown ? nil : .milliseconds($0) }
    }
}
