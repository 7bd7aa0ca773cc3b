import Foundation
import MediaDevice
import ReferenceProtocol

/// The activation of a device: connects, authenticates, and asks the person if necessary.
@MainActor
final class ReferenceActivation {
    enum Outcome {
        /// The connection is open and authorized.
        case ready(any ReceiverLink, ReferenceWelcome)
        /// The person has to act first; the sentence says how.
        case challenge(MediaOutputDevice.AuthorizationMethod, String)
        /// The activation failed, and the connection is closed.
        case failed(MediaDeviceError)
    }

    let device: MediaOutputDevice
    let session: MediaOutputSession
    private let host: MediaDeviceRoutingManager
    private let connect: ReferenceExtension.Connect
    private var link: (any ReceiverLink)?
    private var welcome: ReferenceWelcome?
    private var isGivenUp = false
    private var watch: Task<Outcome?, Never>?

    init(
        _ device: MediaOutputDevice, _ session: MediaOutputSession, host: MediaDeviceRoutingManager,
        connect: @escaping ReferenceExtension.Connect
    ) {
        self.device = device
        self.session = session
        self.host = host
        self.connect = connect
    }

    /// Connects, and starts pairing if the receiver doesn't know this client.
    func begin() async -> Outcome {
        do throws(ConnectionFailure) {
            let link = try await connect(device)
            self.link = link
            let token = host.credential(for: device).map { String(decoding: $0, as: UTF8.self) }
            let answer = try await link.perform(
                .hello(
                    version: ReferenceAnnouncement.protocolVersion, client: host.hostName ?? "mdhost", token: token))
            guard case .welcome(let welcome) = answer else { throw .notUnderstood("no welcome") }
            self.welcome = welcome
            if welcome.isAuthorized { return .ready(link, welcome) }
            // A receiver has one pairing at a time: a cancelled activation must not end another one's.
            guard !isGivenUp else { throw .unreachable("it is not wanted any more") }
            switch try await link.perform(.pair) {
            case .paired(let token): return paired(token)
            case .challenge(let authorization, let length): return challenge(authorization, length)
            default: throw .notUnderstood("no challenge")
            }
        } catch {
            await close()
            return .failed(MediaDeviceError(error, .connectionFailed))
        }
    }

    /// Processes the person's code or password.
    func answer(_ code: String) async -> Outcome {
        guard let link else { return lost }
        do throws(ConnectionFailure) {
            guard case .paired(let token) = try await link.perform(.answer(code: code), isNoted: true) else {
                throw .notUnderstood("no pairing")
            }
            // The device reads the events from now on.
            _ = await watch?.value
            return paired(token)
        } catch {
            await close()
            return .failed(MediaDeviceError(error, .authorizationFailed))
        }
    }

    /// Waits until the receiver decides by itself: by a key press on it, or because it went away.
    ///
    /// - Returns: `nil` after it answered to a code, see ``answer(_:)``.
    func decision() async -> Outcome? {
        let watch = Task { await watchEvents() }
        self.watch = watch
        return await watch.value
    }

    private func watchEvents() async -> Outcome? {
        guard let link else { return lost }
        for await event in link.events {
            switch event {
            case .told(.paired(let token)): return paired(token)
            case .told(.pairingFailed(let failure)):
                await close()
                return .failed(MediaDeviceError(failure, .authorizationFailed))
            case .answered: return nil
            default: break
            }
        }
        return lost
    }

    private var lost: Outcome {
        .failed(MediaDeviceError(.connectionFailed, reason: "The connection to \(device.displayName) was lost."))
    }

    /// Cancels the activation: the person cancelled, or the device isn't needed any longer.
    func cancel() async {
        isGivenUp = true
        if let link { _ = try? await link.perform(.cancelPairing) }
        await close()
    }

    private func close() async {
        await link?.close()
        link = nil
    }

    private func paired(_ token: String) -> Outcome {
        guard let link, let welcome else { return lost }
        if !token.isEmpty { host.setCredential(Data(token.utf8), for: device) }
        return .ready(link, welcome)
    }

    private func challenge(_ authorization: ReferenceAnnouncement.Authorization, _ length: Int?) -> Outcome {
        switch authorization {
        case .password: .challenge(.password, "\(device.displayName) wants a password.")
        case .confirm, .none: .challenge(.none, "Allow this computer on \(device.displayName) itself.")
        case .pin4, .pin6:
            .challenge(
                .numericCode(length: length == 6 ? .sixCharacter : .fourCharacter),
                "\(device.displayName) shows a code.")
        }
    }
}
