import Foundation
import HostClient
import HostInterface
import ScreenInterface
import Synchronization

/// The running program that captures the screen. It ends with this object, unless it was detached.
final class ScreenChild: Sendable {
    /// Reports, in order, until the program ends.
    let reports: AsyncStream<ScreenReport>
    /// The stream's end for reading, until it is closed.
    let stream: Int32
    private let control: Int32

    /// - Throws: ``HostError`` if the program is missing or can't be started.
    init(_ request: ScreenRequest) throws(HostError) {
        guard let path = InstalledPrograms.find(ScreenRequest.program) else {
            throw HostError(
                .internalFailure, "The program \(ScreenRequest.program) isn't installed.",
                remedy: "Install the package \(ScreenRequest.program).")
        }
        var pipes: [Int32] = [-1, -1]
        var sockets: [Int32] = [-1, -1]
        guard pipe(&pipes) == 0, socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0 else {
            for descriptor in pipes where descriptor >= 0 { close(descriptor) }
            throw HostError(.internalFailure, "No pipe can be made: \(String(cString: strerror(errno))).")
        }
        for descriptor in pipes + sockets { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        defer {
            close(pipes[1])
            close(sockets[1])
        }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = [request.argument]
        process.standardInput = FileHandle(fileDescriptor: sockets[1], closeOnDealloc: false)
        process.standardOutput = FileHandle(fileDescriptor: pipes[1], closeOnDealloc: false)
        do {
            try process.run()
        } catch {
            close(pipes[0])
            close(sockets[0])
            throw HostError(.internalFailure, "Couldn't start \(path): \(FailureReason.text(of: error)).")
        }
        (stream, control) = (pipes[0], sockets[0])
        let (reports, feed) = AsyncStream.makeStream(of: ScreenReport.self)
        self.reports = reports
        Thread.detachNewThread { [control] in Self.read(control, feed) }
    }

    deinit { shutdown(control, Int32(SHUT_RDWR)) }

    /// Lets the program continue until the device's playback ends.
    func detach() { _ = write(control, [ScreenRequest.detached], 1) }

    /// Ends the program.
    func end() { shutdown(control, Int32(SHUT_RDWR)) }

    private static func read(_ control: Int32, _ feed: AsyncStream<ScreenReport>.Continuation) {
        var line: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(control, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            for byte in bytes[..<count] {
                guard byte == UInt8(ascii: "\n") else {
                    line.append(byte)
                    continue
                }
                if let report = ScreenReport(line: line) { feed.yield(report) }
                line = []
            }
        }
        feed.finish()
        close(control)
    }
}
