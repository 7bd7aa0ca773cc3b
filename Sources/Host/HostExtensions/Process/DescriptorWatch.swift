import CProcess
import Dispatch
import Foundation

/// Tells on a queue whenever a descriptor can be read, has ended or has failed, until it is cancelled.
///
/// Dispatch is shown an epoll descriptor that watches the real one and never hangs up itself. Its event loop on Linux
/// races with itself on a hang-up: the source's queue removes the registration that the manager thread is still walking
/// through, which ends the process every few hundred closed pipes.
final class DescriptorWatch: Sendable {
    // A dispatch source may be used from any thread; its overlay on Linux does not say so.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// - Parameters:
    ///   - descriptor: Has to stay open until `onCancel`, which owns it from here on. Not closed if this throws.
    ///   - isOnce: Whether it is cancelled by the first news.
    ///   - onCancel: Called once, when nothing watches the descriptor any more.
    init(
        _ descriptor: Int32, label: String, isOnce: Bool = false, onReadable: @escaping @Sendable () -> Void,
        onCancel: @escaping @Sendable () -> Void
    ) throws(SpawnedChild.Failure) {
        let relay = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard relay >= 0 else { throw SpawnedChild.Failure(code: errno) }
        var interest = epoll_event()
        interest.events = EPOLLIN.rawValue
        guard epoll_ctl(relay, EPOLL_CTL_ADD, descriptor, &interest) == 0 else {
            let code = errno
            close(relay)
            throw SpawnedChild.Failure(code: code)
        }
        source = DispatchSource.makeReadSource(fileDescriptor: relay, queue: DispatchQueue(label: label))
        source.setCancelHandler {
            close(relay)
            onCancel()
        }
        nonisolated(unsafe) let source = source
        source.setEventHandler {
            if isOnce { source.cancel() }
            onReadable()
        }
        source.activate()
    }

    func cancel() { source.cancel() }
}
