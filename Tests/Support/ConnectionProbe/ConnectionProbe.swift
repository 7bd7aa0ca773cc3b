import Dispatch
import Foundation
import NetworkConnections

/// Uses connections, a listener and the path monitor, and prints the results; started confined by tests.
///
/// Arguments: the ports of a TCP and of a UDP echo on 127.0.0.1.
@main
enum ConnectionProbe {
    static func main() async {
        let ports = CommandLine.arguments.dropFirst().compactMap { NWEndpoint.Port($0) }
        guard ports.count == 2 else { return print("usage: ConnectionProbe TCP-PORT UDP-PORT") }
        print("tcp: \(await echo(NWConnection(host: "127.0.0.1", port: ports[0], using: .tcp)))")
        print("udp: \(await echo(NWConnection(host: "127.0.0.1", port: ports[1], using: .udp)))")
        print("unix: \(await echo(NWConnection(to: .unix(path: "/run/dbus/system_bus_socket"), using: .tcp)))")
        print("path: \(NWPathMonitor().currentPath.status)")
        print("listener: \(await listen())")
        print("udp listener: \(await answerDatagrams())")
    }

    private static func echo(_ connection: NWConnection) async -> String {
        await withCheckedContinuation { continuation in
            let queue = DispatchQueue(label: "probe")
            // On the serial queue alone.
            nonisolated(unsafe) var isTold = false
            let tell = { @Sendable (text: String) in
                guard !isTold else { return }
                isTold = true
                continuation.resume(returning: text)
                connection.cancel()
            }
            connection.stateUpdateHandler = { state in
                switch state {
                case .waiting(let error), .failed(let error): tell("\(error)")
                case .setup, .preparing, .ready, .cancelled: break
                }
            }
            connection.start(queue: queue)
            connection.send(content: Data("confined".utf8), completion: .idempotent)
            connection.receive(minimumIncompleteLength: 8, maximumLength: 8) { content, _, _, error in
                tell(content.map { String(decoding: $0, as: UTF8.self) } ?? "\(error.map { "\($0)" } ?? "nothing")")
            }
        }
    }

    private static func listen() async -> String {
        guard let listener = try? NWListener(using: .tcp) else { return "refused" }
        listener.newConnectionHandler = { $0.cancel() }
        return await start(listener)
    }

    /// Answers a datagram of its own.
    private static func answerDatagrams() async -> String {
        guard let listener = try? NWListener(using: .udp) else { return "refused" }
        listener.newConnectionHandler = { connection in
            connection.start(queue: DispatchQueue(label: "peer"))
            connection.receiveMessage { content, _, _, _ in
                connection.send(content: content, completion: .contentProcessed { _ in connection.cancel() })
            }
        }
        let state = await start(listener)
        guard state == "ready", let port = listener.port else { return state }
        return await echo(NWConnection(host: "127.0.0.1", port: port, using: .udp))
    }

    private static func start(_ listener: NWListener) async -> String {
        let (states, feed) = AsyncStream.makeStream(of: NWListener.State.self)
        listener.stateUpdateHandler = { feed.yield($0) }
        listener.start(queue: DispatchQueue(label: "listener"))
        for await state in states {
            switch state {
            case .ready: return "ready"
            case .failed(let error), .waiting(let error): return "\(error)"
            case .setup, .cancelled: continue
            }
        }
        return "ended"
    }
}
