import Glibc
import PacketSockets

/// The connection to one reader process. Not for two threads at a time; calls wait for the reader.
final class ReaderConnection {
    enum Failure: Error {
        /// The process ended, or sent something else.
        case lost
        case decoding(DecodingError)
    }

    let facts: MediaFacts
    let socket: Int32
    private let stop: ReadingStop
    private var buffer = [UInt8](repeating: 0, count: ReaderPacket.longest)
    private var generation: UInt32 = 0
    /// The end, after which the reader sends nothing until a seek.
    private var end: Result<Void, DecodingError>?
    var hasEnded: Bool { end != nil }

    /// Has the media opened.
    ///
    /// - Parameter socket: Taken over.
    init(_ socket: Int32, rate: UInt32, stop: ReadingStop) throws(Failure) {
        self.socket = socket
        self.stop = stop
        stop.watch(socket)
        do throws(Failure) {
            guard PacketSocket.send(ReaderOrder.open(rate: rate).bytes, on: socket) else { throw .lost }
            facts = try Self.facts(on: socket, &buffer)
        } catch {
            stop.watch(nil)
            close(socket)
            throw error
        }
    }

    deinit {
        stop.watch(nil)
        close(socket)
    }

    private static func facts(on socket: Int32, _ buffer: inout [UInt8]) throws(Failure) -> MediaFacts {
        var picture: [UInt8] = []
        while true {
            switch PacketSocket.receive(on: socket, into: &buffer).flatMap({ ReaderPacket($0) }) {
            case .picture(let part):
                picture += part
                guard picture.count <= MediaFacts.Picture.largest else { throw .lost }
            case .facts(var facts):
                facts.picture = facts.picture.flatMap { described in
                    guard !picture.isEmpty, MediaFacts.Picture.contentTypes.contains(described.contentType) else {
                        return nil
                    }
                    return MediaFacts.Picture(contentType: described.contentType, bytes: picture)
                }
                return facts
            case .failure(let error, _): throw .decoding(error)
            case .samples, .end, nil: throw .lost
            }
        }
    }

    /// Returns the next samples; `nil` at the end.
    func read() throws(Failure) -> [Int16]? {
        while end == nil {
            switch PacketSocket.receive(on: socket, into: &buffer).flatMap({ ReaderPacket($0) }) {
            case .samples(let samples, generation): return samples
            case .end(generation): end = .success(())
            case .failure(let error, generation): end = .failure(error)
            // Sent before a seek.
            case .samples, .end, .failure: continue
            case .picture, .facts, nil: throw .lost
            }
        }
        if case .failure(let error) = end { throw .decoding(error) }
        return nil
    }

    func seek(toFrame frame: Int64) throws(Failure) {
        generation &+= 1
        end = nil
        guard PacketSocket.send(ReaderOrder.seek(frame: frame, generation: generation).bytes, on: socket) else {
            throw .lost
        }
    }
}
