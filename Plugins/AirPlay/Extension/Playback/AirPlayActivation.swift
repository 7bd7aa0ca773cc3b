import AirPlayProtocol
import Foundation
import MediaDevice

/// The way from a picked device to one that may be played to: which password is tried, and when one is asked for.
@MainActor
struct AirPlayActivation {
    enum Outcome: Sendable {
        /// The receiver answers, and takes this password, or none.
        case ready(password: String?)
        /// A password is needed; the sentence tells why.
        case needsPassword(String)
        case failed(MediaDeviceError)
    }

    let device: MediaOutputDevice
    let host: MediaDeviceRoutingManager
    let timeouts: AirPlayTimeouts

    private var addresses: [AirPlayAddress] { device.networkEndpoints.compactMap(AirPlayAddress.init) }

    private var question: String { "Playing on “\(device.displayName)” takes a password." }

    /// Tries what is stored, then no password: a receiver may have lost its own.
    func withStoredPassword() async -> Outcome {
        guard let stored = host.credential(for: device).map({ String(decoding: $0, as: UTF8.self) }) else {
            return await withoutPassword(question)
        }
        do throws(AirPlayError) {
            try await greet(stored)
            return .ready(password: stored)
        } catch .wrongPassword {
            host.setCredential(nil, for: device)
            return await withoutPassword("“\(device.displayName)” does not accept the stored password any more.")
        } catch {
            return .failed(MediaDeviceError(error, .connectionFailed))
        }
    }

    /// Tries the password a person gave, and stores it unless it is wrong.
    func withPassword(_ password: String) async -> Outcome {
        do throws(AirPlayError) {
            try await greet(password)
            host.setCredential(Data(password.utf8), for: device)
            return .ready(password: password)
        } catch {
            return .failed(MediaDeviceError(error, .connectionFailed))
        }
    }

    private func withoutPassword(_ reason: String) async -> Outcome {
        do throws(AirPlayError) {
            try await greet(nil)
            // Some challenge only who begins to play, but say so beforehand.
            return AirPlayDeviceFacts(device).asksForPassword ? .needsPassword(reason) : .ready(password: nil)
        } catch .wrongPassword {
            return .needsPassword(reason)
        } catch {
            return .failed(MediaDeviceError(error, .connectionFailed))
        }
    }

    private func greet(_ password: String?) async throws(AirPlayError) {
        let connection = try await RTSPConnection.open(anyOf: addresses, password: password, timeouts: timeouts)
        do throws(AirPlayError) {
            try await AudioSession.greet(connection)
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }
}
