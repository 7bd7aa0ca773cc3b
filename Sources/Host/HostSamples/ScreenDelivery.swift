import CEventFD
import DBus
import Glibc
import HostCore
import HostInterface
import Synchronization

/// Hands the sockets of a screen to the extension's process, and again to the next one, and waits for the end of the video.
///
/// The packets don't pass through here: the program that captures the screen leaves out what nobody takes.
final class ScreenDelivery: SampleDelivery {
    private let screen: OpenScreen
    private let isEnded = Mutex(false)
    /// An eventfd that ends the wait.
    private let wake: Int32

    init(_ screen: OpenScreen) throws(HostError) {
        self.screen = screen
        wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wake >= 0 else {
            throw HostError(
                .internalFailure, "The screen can't be delivered: \(String(cString: strerror(errno))).")
        }
    }

    deinit { close(wake) }

    func connect() throws(HostError) -> DeliveredSamples {
        DeliveredSamples(screen.format, latency: screen.latency?.seconds, socket: screen.sound, video: screen.video)
    }

    /// A screen is never paused.
    func hold(_ isHeld: Bool) {}

    func end() {
        isEnded.withLock { $0 = true }
        // The extension could keep its copies open.
        for socket in [screen.video.socket, screen.sound] { shutdown(socket.number, Int32(SHUT_RDWR)) }
        var one: UInt64 = 1
        _ = write(wake, &one, 8)
    }

    /// Waits, on a thread of its own, until the other end of the video is closed, or the extension has ended it.
    func run(_ whenOver: () -> Void) {
        var watched = [
            pollfd(fd: screen.video.socket.number, events: 0, revents: 0),
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&watched, 2, -1) < 0, errno == EINTR {}
        if !isEnded.withLock({ $0 }) { whenOver() }
    }
}
