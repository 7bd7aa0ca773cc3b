public import Foundation

/// A connection of an extension to a ``ScriptedPeer``. Releasing it closes it.
public final class PeerConnection: Sendable {
    private struct Input {
        var bytes = Data()
        var isClosed = false

        mutating func take(_ count: Int) -> Data {
            defer { bytes = Data(bytes.dropFirst(count)) }
            return Data(bytes.prefix(count))
        }
    }

    private let patience: Duration
    private let input: PeerInbox<Input>
    private let reader: SocketReader

    init(_ socket: TCPSocket, patience: Duration) {
        self.patience = patience
        let input = PeerInbox(Input())
        self.input = input
        reader = SocketReader(socket) { socket in
            let (bytes, isOpen) = socket.read()
            input.change { state in
                state.bytes += bytes
                if !isOpen { state.isClosed = true }
            }
            return isOpen
        }
    }

    deinit { close() }

    // MARK: Messages of the extension

    /// Waits for the next bytes, which must equal these.
    ///
    /// - Throws: ``ScriptedPeerError``
    public func expect(_ bytes: Data) async throws {
        let received = try await next(String(decoding: bytes, as: UTF8.self).debugDescription) { input in
            // As soon as it differs: the rest may never come.
            let count = min(input.bytes.count, bytes.count)
            guard count == bytes.count || input.bytes.prefix(count) != bytes.prefix(count) else { return nil }
            return input.take(count)
        }
        guard received == bytes else { throw ScriptedPeerError.unexpected(received, expected: bytes) }
    }

    /// Waits for the next bytes, which must equal this text in UTF-8.
    ///
    /// - Throws: ``ScriptedPeerError``
    public func expect(_ text: String) async throws { try await expect(Data(text.utf8)) }

    /// Waits for a number of bytes.
    ///
    /// - Throws: ``ScriptedPeerError``
    public func receive(_ count: Int) async throws -> Data {
        try await next("\(count) bytes") { $0.bytes.count >= count ? $0.take(count) : nil }
    }

    /// Waits for a line.
    ///
    /// - Returns: The line without its line feed, and without a carriage return before it.
    /// - Throws: ``ScriptedPeerError``
    public func receiveLine() async throws -> String {
        let line = try await next("a line") { input -> Data? in
            guard let end = input.bytes.firstIndex(of: 0x0A) else { return nil }
            return input.take(input.bytes.distance(from: input.bytes.startIndex, to: end) + 1)
        }
        return String(decoding: line.dropLast(line.suffix(2) == Data("\r\n".utf8) ? 2 : 1), as: UTF8.self)
    }

    /// Waits until the extension closes its side.
    ///
    /// - Throws: ``ScriptedPeerError/waitedInVain(_:received:)``, also if unread bytes arrived.
    public func receiveEnd() async throws {
        let isOver = await input.wait(for: patience) { $0.isClosed && $0.bytes.isEmpty ? true : nil }
        guard isOver == true else {
            throw ScriptedPeerError.waitedInVain("the end of the connection", received: input.value.bytes)
        }
    }

    private func next(_ what: String, _ take: @escaping @Sendable (inout Input) -> Data?) async throws -> Data {
        let outcome = await input.wait(for: patience) { input -> Data?? in
            if let bytes = take(&input) { return .some(bytes) }
            return input.isClosed ? .some(nil) : nil
        }
        switch outcome {
        case .some(.some(let bytes)): return bytes
        case .some(nil): throw ScriptedPeerError.closed(what, received: input.value.bytes)
        case nil: throw ScriptedPeerError.waitedInVain(what, received: input.value.bytes)
        }
    }

    // MARK: Actions of the device

    /// Sends bytes, and returns after the system has accepted them.
    ///
    /// - Throws: ``ScriptedPeerError/socketFailed(_:reason:)``, also if the extension reads nothing for five seconds.
    public func send(_ bytes: Data) throws { try reader.write(bytes) }

    /// Sends text in UTF-8.
    ///
    /// - Throws: ``ScriptedPeerError/socketFailed(_:reason:)``, also if the extension reads nothing for five seconds.
    public func send(_ text: String) throws { try send(Data(text.utf8)) }

    /// Closes the connection in an orderly way.
    public func close() { reader.close() }

    /// Resets the connection, like a device that lost power and restarted. The extension's next use of it fails.
    public func reset() { reader.reset() }
}
