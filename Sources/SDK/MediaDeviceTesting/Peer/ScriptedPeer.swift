import Dispatch
public import Foundation
public import MediaDevice
import Synchronization

/// A device that a test simulates, to which an extension connects over TCP on 127.0.0.1.
///
/// ```swift
/// let peer = try ScriptedPeer()
/// system.network.announce("Radio", type: "_kitchen._tcp", addresses: ["127.0.0.1"], port: peer.port)
/// // … the extension connects …
/// let connection = try await peer.connection()
/// try await connection.expect("PLAY http://192.0.2.9/song.mp3\n")
/// try connection.send("OK\n")
/// ```
///
/// Waits fail after ``patience`` with ``ScriptedPeerError``. Releasing the peer stops it and closes its connections.
public final class ScriptedPeer: Sendable {
    /// The port on which the peer listens.
    public let port: Int
    /// The time limit of the peer's waits and those of its connections, in real time.
    public let patience: Duration

    private let connections: PeerInbox<[PeerConnection]>
    private let listener: SocketReader

    /// Creates a peer and starts to listen.
    ///
    /// - Parameters:
    ///   - port: The port; `0` for any free one. Use the earlier port to simulate a restart of the device.
    ///   - patience: The time limit of each wait.
    /// - Throws: ``ScriptedPeerError/socketFailed(_:reason:)``
    public init(port: Int = 0, patience: Duration = .seconds(10)) throws {
        let socket = try TCPSocket.listening(port: port)
        self.port = try socket.port()
        self.patience = patience
        let connections = PeerInbox<[PeerConnection]>([])
        self.connections = connections
        listener = SocketReader(socket) { socket in
            while let accepted = socket.accept() {
                let connection = PeerConnection(accepted, patience: patience)
                connections.change { $0.append(connection) }
            }
            return true
        }
    }

    deinit { close() }

    /// The endpoint of the peer.
    public var endpoint: NWEndpoint {
        .hostPort(host: "127.0.0.1", port: NWEndpoint.Port(rawValue: UInt16(port)) ?? .any)
    }

    /// Waits for the next connection, in order of their arrival.
    ///
    /// - Throws: ``ScriptedPeerError/waitedInVain(_:received:)``
    public func connection() async throws -> PeerConnection {
        let connection = await connections.wait(for: patience) { $0.isEmpty ? nil : $0.removeFirst() }
        guard let connection else { throw ScriptedPeerError.waitedInVain("a connection", received: Data()) }
        return connection
    }

    /// Stops listening, and closes the connections that weren't taken. Those that were taken stay open.
    public func close() {
        listener.close()
        connections.change { waiting in
            for connection in waiting { connection.close() }
            waiting = []
        }
    }
}

/// An error of a scripted peer.
public enum ScriptedPeerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A system call failed.
    case socketFailed(String, reason: String)
    /// The expected input didn't arrive; these bytes were received and not read.
    case waitedInVain(String, received: Data)
    /// The extension closed the connection too early; these bytes were received and not read.
    case closed(String, received: Data)
    /// Other bytes than expected arrived.
    case unexpected(Data, expected: Data)

    /// The error as one sentence.
    public var description: String {
        func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self).debugDescription }
        switch self {
        case .socketFailed(let call, let reason): return "\(call): \(reason)"
        case .waitedInVain(let what, let received): return "timed out waiting for \(what); not read: \(text(received))"
        case .closed(let what, let received):
            return "the extension closed the connection instead of \(what); not read: \(text(received))"
        case .unexpected(let bytes, let expected): return "\(text(bytes)) came instead of \(text(expected))"
        }
    }
}
