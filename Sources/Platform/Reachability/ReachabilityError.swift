import Glibc

/// A system call that did not work.
package struct ReachabilityError: Error, Sendable, Hashable {
    package let call: String
    /// `errno`.
    package let number: Int32

    init(call: String) {
        self.call = call
        number = errno
    }

    /// A sentence for people.
    package var message: String { "\(call): \(String(cString: strerror(number)))" }
}
