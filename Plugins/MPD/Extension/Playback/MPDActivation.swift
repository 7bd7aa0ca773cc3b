import Foundation
import MPDProtocol
import MediaDevice

/// The way from a picked device to a connection that may play: which password is tried, and when one is asked for.
@MainActor
struct MPDActivation {
    enum Outcome {
        /// Connected, with every permission playing takes.
        case ready(MPDPlayer)
        /// A password is needed; the sentence tells why.
        case needsPassword(String)
        case failed(MediaDeviceError)
    }

    let device: MediaOutputDevice
    let host: MediaDeviceRoutingManager
    var timeouts = MPDTimeouts()

    /// Tries what is stored, then no password: a server may have lost its own.
    func withStoredPassword() async -> Outcome {
        guard let stored = host.credential(for: device) else { return await withoutPassword(passwordNeeded) }
        switch await attempt(String(decoding: stored, as: UTF8.self)) {
        case .ready(let player): return .ready(player)
        case .failed(let error): return .failed(error)
        case .lacksPermission, .wrongPassword:
            host.setCredential(nil, for: device)
            return await withoutPassword("“\(device.displayName)” does not accept the stored password any more.")
        }
    }

    /// Tries the password a person gave, and stores it if it is right.
    func withPassword(_ password: String) async -> Outcome {
        switch await attempt(password) {
        case .ready(let player):
            host.setCredential(Data(password.utf8), for: device)
            return .ready(player)
        case .failed(let error), .wrongPassword(let error): return .failed(error)
        case .lacksPermission:
            let reason = "The password is right, but it does not allow playing on “\(device.displayName)”."
            return .failed(MediaDeviceError(.authorizationFailed, reason: reason))
        }
    }

    private var passwordNeeded: String { "Playing on “\(device.displayName)” takes a password." }

    private func withoutPassword(_ reason: String) async -> Outcome {
        switch await attempt(nil) {
        case .ready(let player): .ready(player)
        case .failed(let error): .failed(error)
        case .lacksPermission, .wrongPassword: .needsPassword(reason)
        }
    }

    private enum Attempt {
        case ready(MPDPlayer)
        case lacksPermission
        case wrongPassword(MediaDeviceError)
        case failed(MediaDeviceError)
    }

    private func attempt(_ password: String?) async -> Attempt {
        let player = MPDPlayer(addresses: device.networkEndpoints.compactMap(MPDAddress.init), timeouts: timeouts)
        do throws(MPDError) {
            try await player.connect(password: password)
            return player.permissions.allowsPlayback ? .ready(player) : .lacksPermission
        } catch .refused(let refusal) where refusal.code == .permission {
            return .lacksPermission
        } catch .refused(let refusal) where refusal.code == .password {
            return .wrongPassword(MediaDeviceError(.authorizationFailed, reason: refusal.sentence))
        } catch .invalidCommand(let why) {
            let reason = "This can be no password: \(why)."
            return .wrongPassword(MediaDeviceError(.authorizationFailed, reason: reason))
        } catch {
            return .failed(MediaDeviceError(error, .connectionFailed))
        }
    }
}
