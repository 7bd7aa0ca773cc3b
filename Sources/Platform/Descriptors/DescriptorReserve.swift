import CEventFD
import Glibc

/// The descriptors of this process that only its own needs may use.
///
/// libdispatch and the Swift runtime open descriptors when they need them and end the process where they get none.
/// Connections that others can make many of must therefore stop before the last descriptor.
package enum DescriptorReserve {
    /// The number of descriptors that stay free.
    package static let size = 64

    /// No descriptor outside the reserve is free.
    package struct Exhausted: Error, Sendable, Hashable, CustomStringConvertible {
        package init() {}

        package var description: String { "too many files and connections are open in this process" }
    }

    /// Checks that a new descriptor would not be one of the reserve.
    ///
    /// - Throws: ``Exhausted``.
    package static func check() throws(Exhausted) {
        guard hasRoom else { throw Exhausted() }
    }

    /// A Boolean value that indicates whether a new descriptor would leave the reserve untouched.
    package static var hasRoom: Bool { hasRoom(below: softLimit) }

    /// The kernel assigns the lowest free number, so the number of a new descriptor shows whether all lower ones are
    /// taken.
    static func hasRoom(below limit: Int) -> Bool {
        let probe = eventfd(0, Int32(EFD_CLOEXEC))
        guard probe >= 0 else { return false }
        close(probe)
        return Int(probe) < limit - size
    }

    /// Raises the soft limit of descriptors, to 65,536 or to the hard limit if that is lower. Never lowers it.
    ///
    /// For processes that many may connect to. Programs that they start inherit it.
    package static func raiseLimit() {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return }
        let wanted = min(limits.rlim_max, 65_536)
        guard wanted > limits.rlim_cur else { return }
        limits.rlim_cur = wanted
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    }

    /// The current limit on this process's descriptors.
    package static var softLimit: Int {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 1_024 }
        return Int(clamping: limits.rlim_cur)
    }
}
