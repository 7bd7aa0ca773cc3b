import CProcess
import Foundation
import HostClient
import HostInterface
import PacketSockets
import ScreenInterface
import Synchronization

/// The running program that captures the screen. It ends with this object, unless it was detached.
final class ScreenChild: Sendable {
    /// Our ends of what the program delivers, until they are closed.
    enum Capture: Sendable {
        /// The end for reading of a stream.
        case stream(Int32)
        /// Sockets for packets.
        case samples(video: Int32, sound: Int32)

        fileprivate var descriptors: [Int32] {
            switch self {
            case .stream(let stream): [stream]
            case .samples(let video, let sound): [video, sound]
            }
        }

        /// Closes our ends, once the daemon has its own.
        func close() { for descriptor in descriptors { Glibc.close(descriptor) } }
    }

    /// Reports, in order, until the program ends.
    let reports: AsyncStream<ScreenReport>
    let capture: Capture
    private let control: Control

    /// Our end of the socket for control and reports, closed when neither this object nor its thread needs it.
    private final class Control: Sendable {
        let descriptor: Int32
        init(_ descriptor: Int32) { self.descriptor = descriptor }
        deinit { close(descriptor) }
    }

    /// - Throws: ``HostError`` if the program is missing or can't be started.
    init(_ request: ScreenRequest) throws(HostError) {
        guard let path = InstalledPrograms.find(ScreenRequest.program) else {
            throw HostError(
                .internalFailure, "The program \(ScreenRequest.program) isn't installed.",
                remedy: "Install the package \(ScreenRequest.program).")
        }
        let (capture, outputs) = try Self.ends(for: request.form)
        var sockets: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets) == 0 else {
            let failure = Self.failure
            capture.close()
            for output in outputs.values { close(output) }
            throw failure
        }
        let started: Result<pid_t, DetachedProgram.Failure>
        do throws(DetachedProgram.Failure) {
            started = .success(
                try DetachedProgram.start(
                    path, [request.argument], descriptors: outputs.merging([0: sockets[1]]) { $1 }))
        } catch {
            started = .failure(error)
        }
        close(sockets[1])
        for output in outputs.values { close(output) }
        if case .failure(let error) = started {
            capture.close()
            close(sockets[0])
            throw HostError(.internalFailure, "Couldn't start \(path): \(error.reason).")
        }
        (self.capture, control) = (capture, Control(sockets[0]))
        let (reports, feed) = AsyncStream.makeStream(of: ScreenReport.self)
        self.reports = reports
        Thread.detachNewThread { [control] in Self.read(control, feed) }
    }

    deinit { end() }

    /// Lets the program continue until the device's playback ends.
    func detach() { send(control.descriptor, [ScreenRequest.detached], 1, Int32(MSG_NOSIGNAL)) }

    /// Ends the program.
    func end() { shutdown(control.descriptor, Int32(SHUT_RDWR)) }

    private static var failure: HostError {
        HostError(.internalFailure, "No pipe can be made: \(String(cString: strerror(errno))).")
    }

    /// Returns our ends, and those of the program by their numbers there.
    private static func ends(for form: ScreenRequest.Form) throws(HostError) -> (Capture, [Int32: Int32]) {
        switch form {
        case .stream:
            var pipes: [Int32] = [-1, -1]
            guard pipe2(&pipes, O_CLOEXEC) == 0 else { throw failure }
            return (.stream(pipes[0]), [1: pipes[1]])
        case .samples:
            guard let video = PacketSocket.pair() else { throw failure }
            guard let sound = PacketSocket.pair() else {
                let failure = failure
                close(video.0)
                close(video.1)
                throw failure
            }
            return (.samples(video: video.0, sound: sound.0), [1: video.1, ScreenRequest.soundDescriptor: sound.1])
        }
    }

    private static func read(_ control: Control, _ feed: AsyncStream<ScreenReport>.Continuation) {
        var line: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(control.descriptor, &bytes, bytes.count)
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
    }
}
