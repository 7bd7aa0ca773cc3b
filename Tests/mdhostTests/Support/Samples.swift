import DBus
import HostInterface
import Testing

@testable import HostClient

/// A device as the daemon's properties make it.
func device(
    _ name: String, id: String = "00000000-0000-0000-0000-000000000001", with changes: [String: DBusValue] = [:]
) throws -> ClientDevice {
    let values: [String: DBusValue] = [
        "Id": .string(id), "Name": .string(name), "Type": .string("tv"), "ProtocolName": .string("DLNA"),
        "Endpoints": .array(of: "s", [.string("192.0.2.1:80")]), "Availability": .string("ready"),
        "Activation": .string("idle"), "Volume": .double(0.4),
    ]
    return try #require(ClientDevice(values.merging(changes) { _, new in new }))
}

/// Returns the properties of a merged device's parts, as the daemon sends them.
func parts(_ parts: DevicePart...) throws -> [String: DBusValue] {
    ["Parts": .array(of: "a{sv}", try parts.map { try DBusDictionaryEncoder().encode($0) })]
}

extension DevicePart {
    /// Creates a device with a protocol of its own extension.
    init(_ name: String, by protocolName: String, id: String, availability: String = "ready") {
        self.init(
            id: id, name: name, extension: protocolName, protocol: protocolName, protocolName: protocolName,
            availability: availability)
    }
}

/// A session as the daemon's properties make it.
func session(_ title: String = "Song", state: String = "active", _ playback: PlaybackState = PlaybackState()) throws
    -> ClientSession
{
    try #require(
        ClientSession([
            "Id": .string("1"), "Device": .objectPath("/org/mdhost/devices/x"), "State": .string(state),
            "Title": .string(title), "Subtitle": .string("Artist"),
            "Playback": DBusDictionaryEncoder().encode(playback),
        ]))
}

/// An extension as the daemon's properties make it.
func `extension`(_ name: String, id: String, with changes: [String: DBusValue] = [:]) throws -> ClientExtension {
    let values: [String: DBusValue] = [
        "Id": .string(id), "Name": .string(name), "Version": .string("1.0"), "ProtocolName": .string("DLNA"),
        "Path": .string("/x/\(name).mdext"), "State": .string("idle"),
    ]
    return try #require(ClientExtension(values.merging(changes) { _, new in new }))
}

/// Returns a playback at 42 s of 250 s since the monotonic time 100 s.
func playing(_ change: (inout PlaybackState) -> Void = { _ in }) -> PlaybackState {
    var state = PlaybackState()
    state.isReady = true
    state.isPlaying = true
    state.timeRange = .init(start: 0, duration: 250)
    state.position = .init(value: 42, hostTime: 100, rate: 1)
    change(&state)
    return state
}
