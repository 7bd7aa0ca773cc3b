import DeviceConnections
import Foundation
import KodiProtocol
import PlaybackKit

/// The discovery of Kodi and the connection to it: by TCP if it accepts other computers, otherwise through its web
/// server.
///
/// Kodi announces both, although only one may answer. TCP needs the setting "Allow remote control from applications on
/// other systems", the web server "Allow remote control via HTTP". TCP provides notifications and needs no password.
struct KodiDevices: PlayerProtocol {
    static let tcp = SightingSource.bonjour("_xbmc-jsonrpc._tcp")
    static let http = SightingSource.bonjour("_xbmc-jsonrpc-h._tcp")

    let sources = [tcp, http]

    /// Kodi makes a UUID for itself at its first start.
    func identity(of sighting: Sighting) -> String? {
        if let uuid = sighting.record["uuid"], !uuid.isEmpty { return uuid.lowercased() }
        return "\(sighting.hostName ?? "")/\(sighting.name)"
    }

    func device(_ identity: String, from sightings: [Sighting]) -> MediaOutputDevice? {
        guard let name = sightings.first?.name else { return nil }
        var ports: [String: String] = [:]
        for sighting in sightings {
            if case .hostPort(_, let port)? = sighting.endpoints.first {
                ports[sighting.source == Self.tcp ? "tcp" : "http"] = String(port.rawValue)
            }
        }
        return MediaOutputDevice(
            id: UUID(version5: "kodi:" + identity), displayName: name, capabilities: .urlPlayback,
            canGroupWithCurrentlyActivatedDevices: false, deviceType: .tv, volumeControl: .absolute, canMute: true,
            requiredNetworkEndpoints: sightings.flatMap(\.endpoints), txtRecords: [NWTXTRecord(ports)])
    }

    func open(_ device: MediaOutputDevice, secret: PlayerSecret) async throws(PlayerOpeningError) -> KodiPlayer {
        var failure = TransportFailure.unreachable("it has no address")
        let tcp = device.endpoints(of: "tcp")
        if !tcp.isEmpty {
            do throws(TransportFailure) {
                let connection = try await DeviceConnection.open(anyOf: tcp) { KodiConnectionMachine() }
                return await knowingLevel(KodiPlayer(KodiTCPLink(connection), secretToStore: nil))
            } catch {
                failure = error
            }
        }
        // Its announcement may still be on the way, and Kodi uses this port unless a person changes it.
        let announced = device.endpoints(of: "http")
        let http = announced.isEmpty ? tcp.compactMap { $0.at(port: 8080) } : announced
        guard !http.isEmpty else { throw .failed(MediaDeviceError(failure)) }
        return try await openHTTP(http, device, secret)
    }

    private func knowingLevel(_ player: KodiPlayer) async -> KodiPlayer {
        await player.readLevel()
        return player
    }

    private func openHTTP(
        _ endpoints: [NWEndpoint], _ device: MediaOutputDevice, _ secret: PlayerSecret
    ) async throws(PlayerOpeningError) -> KodiPlayer {
        let logins = KodiLogin.all(secret)
        for login in logins {
            let link = KodiHTTPLink(endpoints, login: login)
            do throws(KodiFailure) {
                _ = try await link.call(KodiCall("JSONRPC.Ping"))
                return await knowingLevel(KodiPlayer(link, secretToStore: login.map { Data($0.text.utf8) }))
            } catch .unauthorized {
                continue
            } catch {
                throw .failed(error.asDeviceError(.connectionFailed))
            }
        }
        if case .entered = secret {
            throw .secretRejected(reason: "“\(device.displayName)” doesn't accept the password.", retryAfter: nil)
        }
        throw .secretRequired(
            SecretRequest(
                .password,
                reason: "“\(device.displayName)” wants the password of its web interface. If the user name there isn't "
                    + "“kodi”, enter NAME:PASSWORD."))
    }
}

/// A login for Kodi's web server.
struct KodiLogin: Sendable, Hashable {
    let user: String
    let password: String

    var text: String { "\(user):\(password)" }

    /// Returns the possible logins for a secret; without a secret, only the one without a login.
    static func all(_ secret: PlayerSecret) -> [KodiLogin?] {
        switch secret {
        case .none: return [nil]
        case .stored(let data): return split(String(decoding: data, as: UTF8.self)).map { [$0] } ?? [nil]
        // A password may contain a colon.
        case .entered(let text): return [KodiLogin(user: "kodi", password: text)] + (split(text).map { [$0] } ?? [])
        }
    }

    private static func split(_ text: String) -> KodiLogin? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        return KodiLogin(user: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
    }
}

extension MediaOutputDevice {
    /// Returns the addresses of one of Kodi's interfaces, `tcp` or `http`.
    func endpoints(of interface: String) -> [NWEndpoint] {
        guard let port = txtRecords.lazy.compactMap({ $0.dictionary[interface] }).first else { return [] }
        return networkEndpoints.filter { endpoint in
            if case .hostPort(_, let own) = endpoint { String(own.rawValue) == port } else { false }
        }
    }
}

extension NWEndpoint {
    fileprivate func at(port: Port) -> NWEndpoint? {
        if case .hostPort(let host, _) = self { .hostPort(host: host, port: port) } else { nil }
    }
}
