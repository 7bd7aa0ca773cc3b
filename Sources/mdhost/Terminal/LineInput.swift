import CProcess
import Foundation
import HostInterface

/// Reads lines of standard input byte by byte, so that the bytes after a line are left to other readers. A read can be
/// cancelled.
final class LineInput: Sendable {
    enum Line: Equatable {
        /// Without its end.
        case line(String)
        /// Standard input has ended, or Ctrl-D was pressed.
        case end
        /// ``wake()`` was called.
        case woken
    }

    /// Longer ones are cut there: no code or password is.
    private static let limit = 4_096

    private let source: Int32
    private let wakeEnds: (read: Int32, write: Int32)

    /// - Throws: ``HostError`` if this process is short of descriptors.
    init(_ source: Int32 = STDIN_FILENO) throws(HostError) {
        self.source = source
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else {
            throw HostError(.internalFailure, "Couldn't make a pipe: \(String(cString: strerror(errno))).")
        }
        wakeEnds = (ends[0], ends[1])
    }

    deinit {
        close(wakeEnds.read)
        close(wakeEnds.write)
    }

    /// Ends every wait, now and from now on.
    func wake() {
        var byte: UInt8 = 0
        _ = write(wakeEnds.write, &byte, 1)
    }

    /// Waits for the next line; blocks.
    func next() -> Line {
        var bytes: [UInt8] = []
        while bytes.count < Self.limit {
            var waits = [
                pollfd(fd: wakeEnds.read, events: Int16(POLLIN), revents: 0),
                pollfd(fd: source, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&waits, nfds_t(waits.count), -1)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return .end }
            if waits[0].revents != 0 { return .woken }
            var byte: UInt8 = 0
            let count = read(source, &byte, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return bytes.isEmpty ? .end : .line(Self.text(bytes)) }
            if byte == UInt8(ascii: "\n") { return .line(Self.text(bytes)) }
            bytes.append(byte)
        }
        return .line(Self.text(bytes))
    }

    private static func text(_ bytes: [UInt8]) -> String {
        // A file from another system ends its lines with both.
        String(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }
}
