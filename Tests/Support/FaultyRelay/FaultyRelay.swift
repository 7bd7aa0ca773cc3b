import Glibc

/// A real extension behind a faulty link: starts the program `original` beside it as its own child, passes on the
/// messages between it and the host, and corrupts them on request (``Order``).
///
/// This causes a fault of an extension that plays on a real device, at any moment and repeatedly.
@main struct FaultyRelay {
    private static let hostLink: Int32 = 3

    static func main() {
        signal(SIGPIPE, SIG_IGN)
        let orders = OrderBook()
        var order = orders.take(atStart: true) ?? .pass
        if case .exitAtStart(let times) = order {
            if times > 1 { orders.put("exit-at-start \(times - 1)") }
            exit(3)
        }
        let child = startOriginal()
        var fromHost = MessageCutter()
        var fromExtension = MessageCutter()
        var outbox = Outbox()
        var leaked: [UnsafeMutableRawPointer] = []

        while true {
            if let next = orders.take(atStart: false) {
                order = next
                if case .hang = order { while true { sleep(3600) } }
                if case .garbage = order { outbox.put(garbage, after: 0) }
            }
            if case .leak(let megabytes) = order, leaked.count < 20 { leaked.append(leak((megabytes << 20) / 20)) }
            outbox.flush(to: hostLink)
            var ends = [
                pollfd(fd: hostLink, events: Int16(POLLIN), revents: 0),
                pollfd(fd: child, events: Int16(POLLIN), revents: 0),
            ]
            // Short, because there is no notification of a new order.
            guard poll(&ends, 2, 50) >= 0 || errno == EINTR else { exit(4) }
            if ends[0].revents != 0 {
                guard let bytes = receive(from: hostLink) else { exit(0) }
                for part in fromHost.cut(bytes) { send(part.bytes, to: child) }
            }
            if ends[1].revents != 0 {
                guard let bytes = receive(from: child) else { exit(0) }
                for part in fromExtension.cut(bytes) { order.spoil(part, outbox: &outbox) }
                outbox.flush(to: hostLink)
            }
        }
    }

    /// - Returns: This end of the child's link.
    private static func startOriginal() -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            exit(5)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], hostLink)
        let own = CommandLine.arguments[0]
        let program = (own.lastIndex(of: "/").map { own[...$0] } ?? "") + "original"
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup(String(program)), nil]
        var child = pid_t()
        guard posix_spawn(&child, String(program), &actions, nil, arguments, environ) == 0 else { exit(6) }
        close(ends[1])
        return ends[0]
    }

    /// Memory that is really used, and never given back.
    private static func leak(_ count: Int) -> UnsafeMutableRawPointer {
        guard let bytes = malloc(count) else { abort() }
        memset(bytes, 1, count)
        return bytes
    }

    /// No message begins like this.
    private static let garbage: [UInt8] = (0..<1_000).map { UInt8(truncatingIfNeeded: 0xA5 ^ $0 &* 31) }
}

/// - Returns: `nil` at the end of the stream.
func receive(from descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
}

func send(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { return }
        rest = rest.dropFirst(max(0, count))
    }
}
