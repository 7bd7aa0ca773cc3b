import Foundation
import Testing

/// A server or client of another maker in a host of the LAN, beside a test.
final class LANPeer: Sendable {
    private let command: RunningCommand

    private init(_ command: RunningCommand) { self.command = command }

    /// Starts a program, and waits until it said `greeting`.
    static func start(_ words: [String], on host: String, input: String? = nil, saying greeting: String) async throws
        -> LANPeer
    {
        let peer = LANPeer(
            try RunningCommand([LabHost.script, "in", host] + words, input: input, waitsForInput: input == nil))
        do {
            try await eventually("“\(greeting)” of \(words[0])") { peer.output.contains(greeting) }
        } catch {
            await peer.stop()
            throw WaitedInVain(description: "\(error): \(peer.output)")
        }
        return peer
    }

    /// Starts a server in Python that says `ready` once it listens.
    static func python(_ program: String, on host: String) async throws -> LANPeer {
        try await start(["/usr/bin/python3", "-u", "-c", program], on: host, saying: "ready")
    }

    var output: String { command.output + command.errors }

    func stop() async { await command.stop(patience: .seconds(1)) }

    /// Returns what comes back byte by byte, and after the other side's end how many there were.
    static let echo = """
        import socket
        s = socket.create_server(("", 7007))
        print("ready")
        while True:
            c, _ = s.accept()
            count = 0
            while data := c.recv(65536):
                count += len(data)
                c.sendall(data)
            c.sendall(b"<%d>" % count)
            c.close()
        """

    static let datagramEcho = """
        import socket
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.bind(("", 7007))
        print("ready")
        while True:
            data, sender = s.recvfrom(65536)
            s.sendto(data, sender)
        """
}
