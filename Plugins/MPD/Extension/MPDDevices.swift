import DeviceConnections
import Foundation
import MPDProtocol
import PlaybackKit
import StoredValues

/// The discovery of MPD servers and the connection to them.
final class MPDDevices: PlayerProtocol {
    static let serviceType = "_mpd._tcp"

    let sources = [SightingSource.bonjour(serviceType)]
    private let places: StoredValue<MPDPlaces>
    private let timeouts: MPDTimeouts
    private var catalogue: MPDCatalogue

    init(places: StoredValue<MPDPlaces>, timeouts: MPDTimeouts) {
        self.places = places
        self.timeouts = timeouts
        catalogue = MPDCatalogue(places: places.value)
    }

    func identities(of sightings: [Sighting]) -> [Sighting: String] {
        defer { places.store(catalogue.places) }
        return catalogue.identities(of: sightings)
    }

    /// The level is announced as adjustable, which it is unless the server has no mixer; that shows on activation.
    func device(_ identity: String, from sightings: [Sighting]) -> MediaOutputDevice? {
        guard let name = catalogue.names[identity] else { return nil }
        var endpoints: [NWEndpoint] = []
        for endpoint in sightings.flatMap(\.endpoints) where !endpoints.contains(endpoint) {
            endpoints.append(endpoint)
        }
        var device = MediaOutputDevice(
            id: UUID(version5: identity), displayName: name, capabilities: .urlPlayback,
            canGroupWithCurrentlyActivatedDevices: false, deviceType: .hifiSpeaker, volumeControl: .absolute,
            canMute: false, requiredNetworkEndpoints: endpoints)
        // It refuses a WAVE file that states more than it has.
        device?.liveStreamFormat = .linearPCM
        return device
    }

    func open(_ device: MediaOutputDevice, secret: PlayerSecret) async throws(PlayerOpeningError) -> MPDPlayer {
        do throws(MPDError) {
            let link = try await MPDLink.open(device.networkEndpoints, password: secret.password, timeouts: timeouts)
            do throws(MPDError) {
                return MPDPlayer(link, try await link.observe())
            } catch {
                await link.close()
                throw error
            }
        } catch .refused(let refusal) where refusal.code == .permission {
            if case .entered = secret {
                let reason = "The password is right, but it doesn't allow playback on “\(device.displayName)”."
                throw .secretRejected(reason: reason, retryAfter: nil)
            }
            throw .secretRequired(
                SecretRequest(.password, reason: "Playing on “\(device.displayName)” takes a password."))
        } catch .refused(let refusal) where refusal.code == .password {
            throw .secretRejected(reason: refusal.sentence, retryAfter: nil)
        } catch .invalidCommand(let reason) {
            throw .secretRejected(reason: "This can't be a password: \(reason).", retryAfter: nil)
        } catch {
            throw .failed(MediaDeviceError(error, .connectionFailed))
        }
    }
}

extension PlayerSecret {
    fileprivate var password: String? {
        switch self {
        case .none: nil
        case .stored(let data): String(decoding: data, as: UTF8.self)
        case .entered(let text): text
        }
    }
}
