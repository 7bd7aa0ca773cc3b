import Foundation
import ScreenInterface
import Synchronization
import Threads

/// The socket to `mdhost screen`: reports go out; its end is the end of the capture, except after the byte that says
/// that the capture goes on alone.
final class ControlSocket: Sendable {
    private let descriptor: Int32
    private let sending = Mutex(())

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// A report that nobody reads is lost.
    func send(_ report: ScreenReport) {
        let bytes = Array(report.line.utf8)
        sending.withLock { _ in
            _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
    }

    /// Calls `onEnd` on a thread of its own when the capture has to end.
    func follow(onEnd: @escaping @Sendable () -> Void) -> Bool {
        BackgroundThread.start { [descriptor] in
            var byte: UInt8 = 0
            while true {
                let count = read(descriptor, &byte, 1)
                if count < 0, errno == EINTR { continue }
                if count == 1, byte == ScreenRequest.detached { return }
                guard count > 0 else { return onEnd() }
            }
        }
    }
}
