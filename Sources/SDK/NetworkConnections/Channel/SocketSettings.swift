import DeviceDiscovery
import Glibc
import NIOCore

/// The options of a socket before it connects.
enum SocketSettings {
    /// Sets the options.
    ///
    /// - Throws: ``NWError`` if the interface doesn't exist.
    static func apply(_ plan: ConnectionPlan, to channel: any Channel) throws {
        guard let socket = channel as? any SocketOptionProvider else { return }
        func set(_ level: Int32, _ name: Int32, _ value: Int) {
            socket.unsafeSetSocketOption(
                level: .init(rawValue: level), name: .init(rawValue: name), value: CInt(clamping: value)
            )
            .whenFailure { channel.pipeline.fireErrorCaught($0) }
        }
        if let interface = plan.interface {
            guard interface.index > 0, interface.name.utf8.count < Int(IF_NAMESIZE) else {
                throw NWError.posix(.ENODEV)
            }
            var name = ifreq()
            withUnsafeMutableBytes(of: &name) { $0.copyBytes(from: interface.name.utf8) }
            socket.unsafeSetSocketOption(
                level: .init(rawValue: SOL_SOCKET), name: .init(rawValue: SO_BINDTODEVICE), value: name
            ).whenFailure { channel.pipeline.fireErrorCaught($0) }
        }
        if plan.parameters.allowLocalEndpointReuse { set(SOL_SOCKET, SO_REUSEADDR, 1) }
        let isVersion6 = channel.localAddress?.protocol == .inet6
        let hops = Int(plan.internet.hopLimit)
        if hops > 0 {
            if isVersion6 {
                set(Int32(IPPROTO_IPV6), IPV6_UNICAST_HOPS, hops)
            } else {
                set(Int32(IPPROTO_IP), IP_TTL, hops)
            }
        }
        guard !plan.isDatagram else { return }
        let tcp = Int32(IPPROTO_TCP)
        // NIO switches Nagle's algorithm off by itself.
        set(tcp, TCP_NODELAY, plan.tcp.noDelay ? 1 : 0)
        if plan.tcp.enableKeepalive {
            set(SOL_SOCKET, SO_KEEPALIVE, 1)
            if plan.tcp.keepaliveIdle > 0 { set(tcp, TCP_KEEPIDLE, plan.tcp.keepaliveIdle) }
            if plan.tcp.keepaliveInterval > 0 { set(tcp, TCP_KEEPINTVL, plan.tcp.keepaliveInterval) }
            if plan.tcp.keepaliveCount > 0 { set(tcp, TCP_KEEPCNT, plan.tcp.keepaliveCount) }
        }
        if plan.tcp.maximumSegmentSize > 0 { set(tcp, TCP_MAXSEG, plan.tcp.maximumSegmentSize) }
        if plan.tcp.connectionDropTime > 0 {
            set(tcp, TCP_USER_TIMEOUT, plan.tcp.connectionDropTime.multipliedReportingOverflow(by: 1_000).partialValue)
        }
    }
}

extension ConnectionPlan {
    /// The only interface to use; `nil` for any.
    var interface: NWInterface? {
        if let required = parameters.requiredInterface { return required }
        // Only a name: a link-local address carries its interface by itself.
        if case .hostPort(.name(_, let interface), _) = endpoint { return interface }
        return nil
    }
}
