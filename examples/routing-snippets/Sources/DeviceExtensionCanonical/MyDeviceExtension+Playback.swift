import MediaDevice
import MyProtocol

// Sessions and data, for a media app that uses the device.

extension MyDeviceExtension {
    /// The reserved identifier of messages for the extension itself.
    static let ownIdentifier = "com.apple.media-device-extension"

    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        guard let myProtocolClient = connections.values.first else {
            routingManager.sessionFailed(session, error: MediaDeviceError(.connectionFailed))
            return
        }
        let control = PlaybackControl(myProtocolClient)
        controls[session.id] = control
        Task {
            do {
                try await myProtocolClient.load(url)
                routingManager.started(application: identifier, playbackControl: control, session: session)
            } catch {
                control.fail(error)
                routingManager.sessionFailed(session, error: MediaDeviceError(.sessionFailed))
            }
        }
        Task { for await status in myProtocolClient.statuses { control.update(status) } }
        guard let identifier else { return }
        Task {
            for await message in myProtocolClient.messages {
                routingManager.receiveData(message, fromApplication: identifier, session: session)
            }
        }
    }

    func stopSession(_ session: MediaOutputSession) {
        guard let control = controls.removeValue(forKey: session.id) else { return }
        control.isPlaying = false
    }

    func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession) {
        if applicationIdentifier == Self.ownIdentifier {
            // For this extension itself: here, a question that is answered at once.
            routingManager.receiveData(data, fromApplication: applicationIdentifier, session: session)
            return
        }
        let myProtocolClient = connections.values.first
        Task {
            do {
                try await myProtocolClient?.send(data)
            } catch {
                routingManager.sessionFailed(session, error: MediaDeviceError(.connectionFailed))
            }
        }
    }
}
