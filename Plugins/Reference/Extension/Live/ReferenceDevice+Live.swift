import Foundation
import MediaDevice
import PlaybackKit
import ReferenceProtocol

extension ReferenceDevice: LiveReceiver {
    func open(_ delivery: LiveDelivery<ReferenceDevice>) async throws(MediaDeviceError) {
        player = delivery
        do throws(ConnectionFailure) {
            try await perform(.receive(id: delivery.playbackID, live: ReferenceLive(delivery)))
        } catch {
            throw MediaDeviceError(error, error.isRefusal ? .sessionFailed : .connectionFailed)
        }
    }

    func send(_ samples: Data, at time: Double) async throws(MediaDeviceError) -> Bool {
        try await pass(.sound(at: time, samples: samples))
    }

    func send(_ frame: MediaVideoFrame, at time: Double) async throws(MediaDeviceError) -> Bool {
        try await pass(.picture(at: time, accessUnit: frame.accessUnit))
    }

    private func pass(_ command: ReferenceCommand) async throws(MediaDeviceError) -> Bool {
        do throws(ConnectionFailure) {
            _ = try await link.perform(command)
            return true
        } catch {
            if case .refused(let failure) = error, failure.code == .late { return false }
            throw MediaDeviceError(error, .sessionFailed)
        }
    }

    func describe(_ information: MediaOutputSession.MediaInformation?) {
        send(.describe(title: information?.title, artist: information?.artist))
    }

    func stop() { send(.stop) }

    func left(_ delivery: LiveDelivery<ReferenceDevice>, _ error: MediaDeviceError?) {
        if player === delivery { player = nil }
        if let error { fail(error, for: delivery.session) }
    }
}

extension ReferenceLive {
    /// The announcement of a delivery, with the current title.
    @MainActor
    fileprivate init(_ delivery: LiveDelivery<ReferenceDevice>) {
        let information = delivery.session.mediaInformation
        self.init(
            title: information?.title, artist: information?.artist,
            sound: delivery.soundFormat.map { .init(sampleRate: $0.sampleRate, channelCount: $0.channelCount) },
            picture: delivery.videoFormat.map { .init(width: $0.width, height: $0.height, frameRate: $0.frameRate) })
    }
}

extension LiveDelivery: DevicePlayback where Receiver == ReferenceDevice {
    var playbackID: String { id.uuidString }

    func heard(_ state: ReferencePlayback, from device: ReferenceDevice) {
        // Until it has answered, the receiver may still report its previous media.
        if state.id != playbackID, device.isSettled { ended(on: device) }
    }

    func ended(_ id: String, _ failure: ReferenceFailure?, on device: ReferenceDevice) {
        if id == playbackID { ended(on: device, failure.map { MediaDeviceError($0, .sessionFailed) }) }
    }
}
