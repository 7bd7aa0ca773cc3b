import AirPlayProtocol
import Logging
import NIOCore

/// A receiver's right to press buttons, while it takes part in a stream.
struct RemoteSeat: Sendable {
    /// The header fields for the receiver.
    let headers: RTSPHeaders
    fileprivate let place: SocketAddress
    fileprivate let token: UInt32
}

/// The remote controls of this process, one for each local address from which a receiver in use is reached.
actor SpeakerRemotes {
    private struct Post {
        let listener: Task<RemoteListener?, Never>
        var seats = 0
    }

    private let linger: Duration
    private var posts: [SocketAddress: Post] = [:]

    /// Creates an empty set.
    ///
    /// - Parameter linger: The time for which an unused remote control stays, so that receivers needn't discover it
    ///   again for the next item.
    init(linger: Duration = .seconds(10)) { self.linger = linger }

    /// Accepts key presses of a receiver from now on.
    ///
    /// - Parameters:
    ///   - receiver: The address of the receiver.
    ///   - local: The address of this computer, as the receiver sees it.
    ///   - press: The handler of key presses.
    /// - Returns: `nil` if this computer can't listen; playback works all the same.
    func admit(
        _ receiver: SocketAddress, at local: SocketAddress, _ press: @escaping RemoteDesk.Press
    ) async -> RemoteSeat? {
        guard let address = receiver.ipAddress else { return nil }
        var place = local
        place.port = 0
        let listener = posts[place]?.listener ?? Task { await Self.listen(at: local) }
        posts[place, default: Post(listener: listener)].seats += 1
        guard let listener = await listener.value else {
            posts[place]?.seats -= 1
            closeIfUnused(place)
            return nil
        }
        let token = listener.desk.admit(address, press)
        return RemoteSeat(headers: listener.identity.headers(token: token), place: place, token: token)
    }

    /// Stops accepting key presses of a receiver.
    func leave(_ seat: RemoteSeat) async {
        await posts[seat.place]?.listener.value?.desk.remove(seat.token)
        posts[seat.place]?.seats -= 1
        guard posts[seat.place]?.seats == 0 else { return }
        Task { [linger] in
            try? await Task.sleep(for: linger)
            closeIfUnused(seat.place)
        }
    }

    private func closeIfUnused(_ place: SocketAddress) {
        guard let post = posts[place], post.seats == 0 else { return }
        posts[place] = nil
        Task { await post.listener.value?.close() }
    }

    private static func listen(at local: SocketAddress) async -> RemoteListener? {
        do {
            return try await RemoteListener(at: local)
        } catch {
            log.notice(
                "receivers' buttons are not heard", metadata: ["reason": "\(AirPlayTransport.describe(error))"])
            return nil
        }
    }
}
