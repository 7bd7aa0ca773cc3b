import AirPlayProtocol
import NIOCore

/// A receiver's right to press buttons, while it takes part in a stream.
struct RemoteSeat: Sendable {
    /// What the receiver is told.
    let headers: RTSPHeaders
    fileprivate let place: SocketAddress
    fileprivate let token: UInt32
}

/// The remote controls of this process: one for each of its addresses that a receiver in use is reached from, and none without.
actor SpeakerRemotes {
    private struct Post {
        let listener: Task<RemoteListener?, Never>
        var seats = 0
    }

    private let linger: Duration
    private var posts: [SocketAddress: Post] = [:]

    /// - Parameter linger: How long one stays when nobody needs it: until the next piece, receivers need not look for it again.
    init(linger: Duration = .seconds(10)) { self.linger = linger }

    /// Lets a receiver press from now on.
    ///
    /// - Parameters:
    ///   - receiver: Where it is.
    ///   - local: This machine's address, as the receiver sees it.
    ///   - press: What becomes of it.
    /// - Returns: `nil` where this machine cannot listen: it plays all the same.
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

    /// The receiver does not take part any more.
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
