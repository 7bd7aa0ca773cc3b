import Foundation
import MediaDevice

/// An extension that records its requests, and answers by the closures a test sets.
@MainActor
final class SampleExtension: MediaDeviceExtension {
    enum Request: Equatable {
        case startDeviceDiscovery, stopDeviceDiscovery
        case activate(UUID, name: String, session: String, Int)
        case connect(String?, UUID, session: String)
        case deactivate(UUID, session: String)
        case setVolume(Float, UUID), changeVolume(Int, UUID), mute(UUID)
        case startSession(String, identifier: String?, URL)
        case stopSession(String)
        case sendData(Data, String, session: String)
    }

    private(set) var requests: [Request] = []
    private(set) var sessions: [MediaOutputSession] = []
    private(set) var activated: [MediaOutputDevice] = []
    var level: Float = 0.5
    var isMuted = false
    var volumeReadings = 0
    var onRequest: (Request) -> Void = { _ in }

    lazy var manager = MediaDeviceRoutingManager.routingManager(for: self)

    required init() {}

    private func keep(_ request: Request) {
        requests.append(request)
        onRequest(request)
    }

    var protocolType: UTType { UTType(exportedAs: "org.mdhost.sample") }
    var supportsSimultaneousSessions: Bool { true }

    func startDeviceDiscovery() { keep(.startDeviceDiscovery) }
    func stopDeviceDiscovery() { keep(.stopDeviceDiscovery) }

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        sessions.append(session)
        activated.append(device)
        keep(.activate(device.id, name: device.displayName, session: session.id, deviceFeatures.rawValue))
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {
        sessions.append(session)
        keep(.connect(pairingCode, device.id, session: session.id))
    }

    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        sessions.append(session)
        keep(.deactivate(device.id, session: session.id))
    }

    func setVolume(_ volume: Float, for device: MediaOutputDevice) { keep(.setVolume(volume, device.id)) }

    func volume(for device: MediaOutputDevice) -> Float {
        volumeReadings += 1
        return level
    }

    func changeVolume(by increments: Int, for device: MediaOutputDevice) { keep(.changeVolume(increments, device.id)) }
    func muteDevice(_ device: MediaOutputDevice) { keep(.mute(device.id)) }
    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { isMuted }

    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        sessions.append(session)
        keep(.startSession(session.id, identifier: identifier, url))
    }

    func stopSession(_ session: MediaOutputSession) {
        sessions.append(session)
        keep(.stopSession(session.id))
    }

    func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession) {
        keep(.sendData(data, applicationIdentifier, session: session.id))
    }
}

extension MediaOutputDevice {
    static let sampleID = UUID(version5: "sample")

    /// A television at 127.0.0.1:8060.
    static func sample(
        _ name: String = "Television", id: UUID = sampleID, volumeControl: VolumeControl = .absolute,
        canMute: Bool = true
    ) -> MediaOutputDevice {
        MediaOutputDevice(
            id: id, displayName: name, capabilities: [.urlPlayback, .appLaunch], volumeControl: volumeControl,
            canMute: canMute, requiredNetworkEndpoints: [.hostPort(host: "127.0.0.1", port: 8060)],
            txtRecords: [NWTXTRecord(["model": "T-1"])])!
    }
}
