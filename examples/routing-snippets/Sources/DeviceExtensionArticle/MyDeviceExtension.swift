import MediaDevice
import MyProtocol

/// A media device extension in the article's spelling, which is that of an early beta.
///
/// A device has a textual identifier and no endpoints, its initialiser cannot fail, and the extension *sends* data to the
/// media app with the routing manager and *receives* it by a method of its own.
@main
class MyDeviceExtension: MediaDeviceExtension {
    required init() {}

    lazy var routingManager = MediaDeviceRoutingManager.routingManager(for: self)
    let myProtocolClient = MyProtocolClient(code: "1234")
    var playbackControl: PlaybackControl?
    var currentVolume: Float = 0.5
    var isMuted = false

    var protocolType: UTType { UTType(exportedAs: "com.example.sharingprotocol.beta") }
    var supportsSimultaneousSessions: Bool { false }

    // MARK: Discovery

    func startDeviceDiscovery() {
        let device = MediaOutputDevice(
            id: "my-device-1", displayName: "Living Room TV", capabilities: [.urlPlayback, .appLaunch], deviceType: .tv)
        routingManager.foundDevice(device)
    }

    func stopDeviceDiscovery() {}

    // MARK: Activation

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        routingManager.requestPairingCode(
            for: device, session: session, reason: "Enter the PIN displayed on your device",
            authorizationMethod: .numericCode(length: .fourCharacter))
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {
        guard let pairingCode else {
            routingManager.failedToActivateDevice(device, session: session, error: .init(.authorizationFailed))
            return
        }
        Task {
            do {
                try await myProtocolClient.connect(code: pairingCode)
                routingManager.activatedDevice(device, session: session)
            } catch {
                routingManager.failedToActivateDevice(device, session: session, error: .init(.authorizationFailed))
            }
        }
    }

    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        Task { await myProtocolClient.disconnect() }
    }

    // MARK: Volume

    func setVolume(_ volume: Float, for device: MediaOutputDevice) {
        currentVolume = volume
        Task { await myProtocolClient.setVolume(volume) }
    }

    func volume(for device: MediaOutputDevice) -> Float { currentVolume }

    func changeVolume(by increments: Int, for device: MediaOutputDevice) {
        setVolume(min(1, max(0, currentVolume + Float(increments) * 0.05)), for: device)
    }

    func muteDevice(_ device: MediaOutputDevice) {
        isMuted.toggle()
        Task { [isMuted] in await myProtocolClient.setMuted(isMuted) }
    }

    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { isMuted }

    // MARK: Playback

    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        let control = PlaybackControl(myProtocolClient)
        playbackControl = control
        Task {
            do {
                try await myProtocolClient.load(url)
                routingManager.started(application: identifier, playbackControl: control, session: session)
            } catch {
                routingManager.sessionFailed(session, error: .init(.sessionFailed))
            }
        }
        Task { for await status in myProtocolClient.statuses { control.update(status) } }
        Task {
            for await message in myProtocolClient.messages {
                routingManager.sendData(message, toApplication: identifier ?? "", session: session)
            }
        }
    }

    func stopSession(_ session: MediaOutputSession) {
        playbackControl = nil
        Task { await myProtocolClient.setPlaying(false) }
    }

    // MARK: Data

    func receiveData(_ data: Data, fromApplication applicationIdentifier: String, session: MediaOutputSession) {
        guard applicationIdentifier != "com.apple.media-device-extension" else {
            routingManager.sendData(data, toApplication: applicationIdentifier, session: session)
            return
        }
        Task {
            do {
                try await myProtocolClient.send(data)
            } catch {
                routingManager.sessionFailed(session, error: .init(.sessionFailed))
            }
        }
    }
}
