import CSystemd
import Glibc

@testable import DBus

extension FuzzTarget {
    /// The bytes of a peer after the handshake, as sd-bus parses them and ``MessageReader`` reads them.
    static let busMessage = FuzzTarget(name: "bus-message", outcomes: ["nothing", "read"]) { bytes in
        var descriptors: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try demand(socketpair(AF_UNIX, type, 0, &descriptors) == 0, "no sockets: errno \(errno)")
        let input = handshake + bytes.prefix(60_000)
        let written = input.withUnsafeBytes { send(descriptors[1], $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        shutdown(descriptors[1], Int32(SHUT_WR))
        defer { close(descriptors[1]) }
        try demand(written == input.count, "not written: errno \(errno)")

        var bus: OpaquePointer?
        var identifier = sd_id128_t()
        sd_id128_randomize(&identifier)
        guard sd_bus_new(&bus) >= 0, sd_bus_set_fd(bus, descriptors[0], descriptors[0]) >= 0 else {
            throw FuzzFailure(description: "no bus")
        }
        defer { sd_bus_close_unref(bus) }
        sd_bus_negotiate_fds(bus, 1)
        sd_bus_set_server(bus, 1, identifier)
        guard sd_bus_start(bus) >= 0 else { return "nothing" }
        var outcome = "nothing"
        // A message in hand, or something done towards one.
        var message: OpaquePointer?
        while sd_bus_process(bus, &message) > 0 {
            guard let taken = message else { continue }
            defer { message = sd_bus_message_unref(taken) }
            if (try? MessageReader.arguments(of: taken, limits: .untrusted)) != nil { outcome = "read" }
        }
        return outcome
    }

    private static let handshake = Array("\0AUTH EXTERNAL\r\nDATA\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n".utf8)
}
