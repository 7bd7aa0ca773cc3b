package import Dispatch
import Glibc

/// Reports changes of this machine's links or addresses (rtnetlink); the reader looks up the details.
package final class InterfaceMonitor {
    private let descriptor: Int32
    private let source: any DispatchSourceRead

    /// `RTMGRP_LINK`, `RTMGRP_IPV4_IFADDR` and `RTMGRP_IPV6_IFADDR` of `linux/rtnetlink.h`.
    private static let groups: UInt32 = 0x1 | 0x10 | 0x100

    /// - Parameter queue: The queue on which the handler runs.
    package init(queue: DispatchQueue) throws(ReachabilityError) {
        let flags = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_NETLINK, flags, 0)
        guard descriptor >= 0 else { throw ReachabilityError(call: "socket") }
        // `struct sockaddr_nl`: family, padding, port (0: the kernel chooses), groups.
        let address: (UInt16, UInt16, UInt32, UInt32) = (UInt16(AF_NETLINK), 0, 0, Self.groups)
        let result = withUnsafeBytes(of: address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { bind(descriptor, $0.baseAddress, 12) }
        }
        guard result == 0 else {
            let error = ReachabilityError(call: "bind")
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { close(descriptor) }
    }

    /// Calls `handler` on the queue after every batch of changes.
    package func start(_ handler: @escaping @Sendable () -> Void) {
        let descriptor = descriptor
        source.setEventHandler {
            var buffer = [UInt8](repeating: 0, count: 8_192)
            // An overrun (ENOBUFS) loses messages, which don't matter: everything is read again.
            while recv(descriptor, &buffer, buffer.count, 0) > 0 || errno == ENOBUFS || errno == EINTR {}
            handler()
        }
        source.resume()
    }

    package func stop() {
        source.cancel()
    }
}
