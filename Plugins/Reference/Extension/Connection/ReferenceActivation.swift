import Foundation
import MediaDevice
import PlaybackKit
import ReferenceProtocol

/// A receiver whose connection is open and authorized.
struct OpenedReceiver: Sendable {
    let link: any ReceiverLink
    let welcome: ReferenceWelcome
}

/// The activation of a device: connects, authenticates, and asks the person if necessary.
@MainActor
struct ReferenceActivation {
    let device: MediaOutputDevice
    let client: String
    let prompt: PlayerPrompt

    /// Opens the device, and pairs with it if the receiver doesn't accept the token.
    ///
    /// - Returns: The receiver, and the token of a new pairing.
    func open(
        _ secret: PlayerSecret, by connect: ReferenceExtension.Connect
    ) async throws(PlayerOpeningError) -> (OpenedReceiver, Data?) {
        var token: String?
        if case .stored(let data) = secret { token = String(decoding: data, as: UTF8.self) }
        let link: any ReceiverLink
        do throws(ConnectionFailure) { link = try await connect(device) } catch {
            throw .failed(MediaDeviceError(error, .connectionFailed))
        }
        do throws(ConnectionFailure) {
            let answer = try await link.perform(
                .hello(version: ReferenceAnnouncement.protocolVersion, client: client, token: token))
            guard case .welcome(let welcome) = answer else { throw .notUnderstood("no welcome") }
            if welcome.isAuthorized { return (OpenedReceiver(link: link, welcome: welcome), nil) }
            let new = try await pair(link)
            return (OpenedReceiver(link: link, welcome: welcome), new.isEmpty ? nil : Data(new.utf8))
        } catch {
            // Without its client, the receiver ends the pairing, too.
            await link.close()
            throw .failed(MediaDeviceError(error, error.isRefusal ? .authorizationFailed : .connectionFailed))
        }
    }

    /// - Returns: The token; empty if the receiver needs none.
    private func pair(_ link: any ReceiverLink) async throws(ConnectionFailure) -> String {
        guard !Task.isCancelled else { throw .cancelled }
        switch try await link.perform(.pair) {
        case .paired(let token): return token
        case .challenge(let authorization, let length):
            return try await answer(question(authorization, length), to: link)
        default: throw .notUnderstood("no challenge")
        }
    }

    /// Waits for the receiver's decision: about the person's answer, or by a key press on it.
    private func answer(_ question: SecretRequest, to link: any ReceiverLink) async throws(ConnectionFailure) -> String
    {
        let answering = Task { () async -> Result<ReferenceResult, ConnectionFailure> in
            guard question.method != .none else {
                prompt.show(question)
                return .failure(.lost(from: device.displayName))
            }
            guard let code = await prompt.ask(question) else {
                let isLost = Task.isCancelled
                await link.close()
                return .failure(isLost ? .lost(from: device.displayName) : .cancelled)
            }
            do throws(ConnectionFailure) {
                return .success(try await link.perform(.answer(code: code), isNoted: true))
            } catch {
                return .failure(error)
            }
        }
        defer { answering.cancel() }
        for await event in link.events {
            switch event {
            case .told(.paired(let token)): return token
            case .told(.pairingFailed(let failure)): throw .refused(failure)
            case .answered:
                guard case .paired(let token) = try await answering.value.get() else {
                    throw .notUnderstood("no pairing")
                }
                return token
            default: break
            }
        }
        guard !Task.isCancelled else { throw .cancelled }
        // The connection is closed: an answer that the person still owes is void.
        answering.cancel()
        _ = try await answering.value.get()
        throw .lost(from: device.displayName)
    }

    private func question(_ authorization: ReferenceAnnouncement.Authorization, _ length: Int?) -> SecretRequest {
        switch authorization {
        case .password: SecretRequest(.password, reason: "\(device.displayName) wants a password.")
        case .confirm, .none: SecretRequest(.none, reason: "Allow this computer on \(device.displayName) itself.")
        case .pin4, .pin6:
            SecretRequest(
                .numericCode(length: length == 6 ? .sixCharacter : .fourCharacter),
                reason: "\(device.displayName) shows a code.")
        }
    }
}
