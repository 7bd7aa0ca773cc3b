import Dispatch
import Foundation
import MediaDevice
import Synchronization

/// A device to which an extension connects over TCP, as a test plays it: on 127.0.0.1, at a port of its own.
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
/// Waits end after ``patience`` with ``ScriptedPeerError``. The peer is gone, and its connections closed, when it is released
/// or ``close()`` is called.
public final class ScriptedPeer: Sendable {
    /// Where it listens.
    public let port: Int
    /// How long its waits, and those of its connections, go on before they fail, in real time.
    public let patience: Duration

    private let connections: PeerInbox<[PeerConnection]>
    private let listener: SocketReader

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - port: `0` for any that is free; the earlier one to play a device that was switched off and on.
    ///   - patience: How long each wait may take.
    /// - Throws: ``ScriptedPeerError/socketFailed(_:reason:)``.
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

    /// Where an extension reaches it.
    public var endpoint: NWEndpoint {
        .hostPort(host: "127.0.0.1", port: NWEndpoint.Port(rawValue: UInt16(port)) ?? .any)
    }

    /// Waits for the next connection, in the order they were made.
    ///
    /// - Throws: ``ScriptedPeerError/waitedInVain(_:received:)``.
    public func connection() async throws -> PeerConnection {
        let connection = await connections.wait(for: patience) { $0.isEmpty ? nil : $0.removeFirst() }
        guard let connection else { throw ScriptedPeerError.waitedInVain("a connection", received: Data()) }
        return connection
    }

    /// Listens no more, and closes connections that nobody took; those that were taken stay open.
    public func close() {
        listener.close()
        connections.change { waiting in
            for connection in waiting { connection.close() }
            waiting = []
        }
    }
}

/// Why a scripted peer cannot go on.
public enum ScriptedPeerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A call of the system failed.
    case socketFailed(String, reason: String)
    /// It did not come; these bytes were received and not read.
    case waitedInVain(String, received: Data)
    /// The extension closed the connection before; these bytes were received and not read.
    case closed(String, received: Data)
    /// Other bytes came than were expected.
    case unexpected(Data, expected: Data)

    public var description: String {
        func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self).debugDescription }
        switch self {
        case .socketFailed(let call, let reason): return "\(call): \(reason)"
        case .waitedInVain(let what, let received): return "waited in vain for \(what); not read: \(text(received))"
        case .closed(let what, let received):
            return "the extension closed the connection instead of \(what); not read: \(text(received))"
        case .unexpected(let bytes, let expected): return "\(text(bytes)) came instead of \(text(expected))"
        }
    }
}
