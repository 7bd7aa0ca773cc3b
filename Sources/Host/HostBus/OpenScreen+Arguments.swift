import DBus
import HostCore
import HostInterface
import PacketSockets

extension OpenScreen {
    /// Creates a screen from the arguments of `Device1.PlayScreen`.
    ///
    /// - Throws: ``HostError`` `invalid-argument` for descriptors that aren't sockets for packets, and for sizes, rates and
    ///   formats out of range.
    convenience init(_ arguments: [DBusValue]) throws(HostError) {
        guard arguments.count == 3, let video = arguments[0].asFileDescriptor,
            let sound = arguments[1].asFileDescriptor,
            let options = arguments[2].asDictionary, let width = options.number("width"),
            let height = options.number("height"), let rate = options.number("frameRate")
        else { throw .badArguments }
        guard PacketSocket.isOne(video.number), PacketSocket.isOne(sound.number) else {
            throw HostError(.invalidArgument, "PlayScreen takes connected sockets of type SOCK_SEQPACKET.")
        }
        let usual = try SampleFormat(encoding: "s16le", rate: 48_000, channels: 2)
        let format = try SampleFormat(options)
        self.init(
            try DeliveredVideo(width: width, height: height, rate: rate, socket: video), sound: sound, format ?? usual,
            latency: try RequestedLatency(options))
    }
}

extension [String: DBusValue] {
    /// Returns an option that is an integer; `nil` without.
    func number(_ key: String) -> Int? { self[key]?.asInt64.flatMap { Int(exactly: $0) } }
}
