import CProcess
import Dispatch
import Foundation

/// Reports on a queue whenever a descriptor is readable, has ended or has failed, until the watch is canceled.
///
/// Dispatch doesn't get the descriptor itself, but an epoll descriptor that watches it and never hangs up. The event
/// loop of Dispatch on Linux has a race at a hang-up: the source's queue removes the registration that the manager
/// thread is still traversing, which crashes the process once in several hundred closed pipes.
final class DescriptorWatch: Sendable {
    // A dispatch source may be used from any thread; its overlay on Linux does not say so.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// - Parameters:
    ///   - descriptor: The descriptor, which must stay open until `onCancel`, which owns it afterwards. It isn't closed
    ///     if this initializer throws.
    ///   - isOnce: Whether the first event cancels the watch.
    ///   - onCancel: The closure called once, when nothing watches the descriptor anymore.
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
