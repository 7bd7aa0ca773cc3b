import Glibc

/// A separate thread for blocking work, such as the loop of a C library.
package enum BackgroundThread {
    /// Runs `body` on a new thread, which ends with it, and on which no signal is delivered: those belong to the threads
    /// that were there before.
    ///
    /// - Returns: `false` if the system has no thread left; `body` is not run then.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        // A new thread inherits the mask it is created under.
        var everySignal = sigset_t()
        var previous = sigset_t()
        sigfillset(&everySignal)
        pthread_sigmask(SIG_SETMASK, &everySignal, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
