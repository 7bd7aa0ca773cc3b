import SoundFeed

/// The PulseAudio module that shows a sink of another server: here of this program, with the level and the delay of a device.
/// It unloads itself when the connection ends.
///
/// Source: PulseAudio 16.1, `modules/module-tunnel.c`.
enum TunnelSinkModule {
    static let name = "module-tunnel-sink"
    /// The length of the sound that programs keep ready, in milliseconds: two blocks.
    private static let latency = 2 * 1000 * SoundFeed.blockLength / SoundFeed.rate

    static func argument(id: String, name: String, socket: String) -> String {
        // Properties are read as they are written here, by two readers: one backslash is for both.
        let properties = "device.description='\(escaped(name))' device.icon_name='audio-speakers'"
        return "sink_name=\(ServedSink.outputName(of: id)) server=\"unix:\(escaped(socket))\" format=s16le "
            + "rate=\(SoundFeed.rate) channels=2 channel_map=front-left,front-right latency_msec=\(latency) "
            + "sink_properties=\"\(properties)\""
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text where !character.isNewline {
            if "\"'\\".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}
