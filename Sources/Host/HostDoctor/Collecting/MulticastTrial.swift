import Glibc

/// Tests whether this machine accepts packets to a multicast group.
///
/// The kernel returns a copy of each packet sent to a group to its members on the same interface, and that copy passes
/// the firewall's input rules like one from outside. The packet contains a query that nobody answers, and it stays on
/// the link.
enum MulticastTrial {
    enum Group: String, CaseIterable {
        case mdns, ssdp

        var address: String { self == .mdns ? "224.0.0.251" : "239.255.255.250" }
        var port: UInt16 { self == .mdns ? 5353 : 1900 }

        /// Returns a search for a target that only `mark` names.
        func question(_ mark: String) -> [UInt8] {
            switch self {
            case .ssdp:
                return Array(
                    """
                    M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: "ssdp:discover"\r\nMX: 1\r
                    ST: uuid:\(mark)\r\n\r\n
                    """.utf8)
            case .mdns:
                // RFC 1035 §4.1: a header with one question, the name, then PTR (12) and IN (1).
                var message: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
                for label in ["_\(mark.prefix(14))", "_udp", "local"] {
                    message.append(UInt8(label.utf8.count))
                    message += Array(label.utf8)
                }
                return message + [0, 0, 12, 0, 1]
            }
        }
    }

    private struct Failure: Error { var text: String }

    /// Blocks for at most ``patience``.
    static func run(_ group: Group, on interface: String) -> FirewallFacts.Trial {
        var trial = FirewallFacts.Trial(interface: interface, protocol: group.rawValue, heard: nil)
        do throws(Failure) {
            trial.heard = try attempt(group, interface)
        } catch {
            trial.failure = error.text
        }
        return trial
    }

    private static let patience: Int32 = 700

    private static func attempt(_ group: Group, _ interface: String) throws(Failure) -> Bool {
        let index = Int32(clamping: if_nametoindex(interface))
        guard index > 0 else { throw Failure(text: "the interface is gone") }
        let listener = try open()
        defer { close(listener) }
        try set(listener, SOL_SOCKET, SO_REUSEADDR, Int32(1))
        try set(listener, SOL_SOCKET, SO_REUSEPORT, Int32(1))
        try check(bindListener(listener, to: group), "bind")
        var request = ip_mreqn()
        inet_pton(AF_INET, group.address, &request.imr_multiaddr)
        request.imr_ifindex = index
        try set(listener, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, request)

        let sender = try open()
        defer { close(sender) }
        try set(sender, Int32(IPPROTO_IP), IP_MULTICAST_IF, request)
        try set(sender, Int32(IPPROTO_IP), IP_MULTICAST_TTL, Int32(1))
        try set(sender, Int32(IPPROTO_IP), IP_MULTICAST_LOOP, Int32(1))
        let question = group.question(mark())
        let sent = address(group) { sendto(sender, question, question.count, Int32(MSG_NOSIGNAL), $0, $1) }
        // A firewall that drops outgoing packets says so here.
        try check(sent == question.count ? 0 : -1, "send")
        return hears(question, on: listener)
    }

    private static func hears(_ question: [UInt8], on listener: Int32) -> Bool {
        let deadline = milliseconds() + Int(patience)
        var buffer = [UInt8](repeating: 0, count: 9_000)
        while true {
            let left = deadline - milliseconds()
            var wait = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&wait, 1, Int32(clamping: left)) >= 0 else { return false }
            let count = recv(listener, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count == question.count, Array(buffer[..<count]) == question { return true }
        }
    }

    // MARK: Sockets

    private static func open() throws(Failure) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try check(descriptor, "socket")
        return descriptor
    }

    private static func bindListener(_ descriptor: Int32, to group: Group) -> Int32 {
        address(group) { bind(descriptor, $0, $1) }
    }

    private static func address<Result>(_ group: Group, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result)
        -> Result
    {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = group.port.bigEndian
        inet_pton(AF_INET, group.address, &address.sin_addr)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func set<Value: BitwiseCopyable>(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Value)
        throws(Failure)
    {
        let result = withUnsafeBytes(of: value) {
            setsockopt(descriptor, level, name, $0.baseAddress, socklen_t($0.count))
        }
        try check(result, "setsockopt")
    }

    private static func check(_ result: Int32, _ call: String) throws(Failure) {
        guard result < 0 else { return }
        throw Failure(text: "\(call): \(String(cString: strerror(errno)))")
    }

    private static func mark() -> String {
        (0..<4).map { _ in String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16) }.joined()
    }

    private static func milliseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}
