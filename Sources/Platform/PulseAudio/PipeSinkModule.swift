import SoundFeed

/// A PulseAudio module that provides a sink and writes its audio into a named pipe.
struct PipeSinkModule: Sendable, Hashable {
    static let name = "module-pipe-sink"
    /// The prefix of the names of all mdhost sinks.
    static let sinkPrefix = ServedSink.outputPrefix

    let index: UInt32
    let argument: String

    static func argument(id: String, name: String, pipe: String, rate: Int) -> String {
        // Properties are read as they are written here, by two readers: one backslash is for both.
        let properties = "device.description='\(escaped(name))' device.icon_name='audio-speakers'"
        return "sink_name=\(sinkPrefix)\(id) file=\"\(escaped(pipe))\" format=s16le rate=\(rate) channels=2 "
            + "channel_map=front-left,front-right sink_properties=\"\(properties)\""
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text where !character.isNewline {
            if "\"'\\".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }

    /// Returns whether this is an mdhost sink with its pipe in that folder: of this user's daemon, or of an earlier
    /// one.
    func isOurs(folder: String) -> Bool {
        let pipe = "file=\"" + Self.escaped(folder) + "/"
        guard argument.hasPrefix("sink_name=" + Self.sinkPrefix), let begin = argument.firstRange(of: pipe) else {
            return false
        }
        return !argument[begin.upperBound...].prefix { $0 != "\"" }.contains("/")
    }
}
