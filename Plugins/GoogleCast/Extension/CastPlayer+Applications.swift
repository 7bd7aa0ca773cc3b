import DeviceConnections
import Foundation
import GoogleCastProtocol
import JSONValues
import PlaybackKit

/// Playback that another sender started, and apps of their own.
extension CastPlayer {
    func takeControl(as run: PlaybackRun) async throws(MediaDeviceError) -> Bool {
        let status = CastReceiverStatus(try await send(.receiverStatus))
        guard let running = status.applications.first(where: { !$0.isIdle && $0.playsMedia }) else { return false }
        if running.sessionID != application?.sessionID { try await enter(running, hasLaunched: false) }
        let answer = try await send(.mediaStatus(of: running.transportID))
        media = CastMediaStatus.merged(answer, into: media, now: Self.now)
        guard let media, media.state != .idle else { return false }
        current = Current(run: run, course: CastRun(.others, session: media.session))
        judge()
        return true
    }

    func launch(
        _ identifier: String, with media: PlayableMedia, as run: PlaybackRun
    ) async throws(MediaDeviceError) -> Data? {
        guard CastApplication.isIdentifier(identifier) else {
            throw MediaDeviceError(.notSupported, "“\(identifier)” isn't the identifier of a Cast app.")
        }
        let application = try await enterApplication(identifier)
        current = Current(run: run, course: CastRun(.application))
        // The URL of another scheme is the app's own business, which its messages tell.
        if application.playsMedia, ["http", "https"].contains(media.url.scheme?.lowercased()) {
            do throws(MediaDeviceError) {
                _ = try await send(.load(CastMedia.loadFields(media), on: application), loading: media.url)
            } catch {
                await stop(run)
                throw error
            }
        } else {
            showApplication(run)
        }
        return try? JSONEncoder().encode(
            CastToken(application: application.sessionID, media: 0, hasLaunched: hasLaunched, isApplication: true))
    }

    func adoptApplication(_ token: CastToken, as run: PlaybackRun) async throws(MediaDeviceError) -> Bool {
        let status = CastReceiverStatus(try await send(.receiverStatus))
        guard let running = status.applications.first(where: { $0.sessionID == token.application }) else {
            return false
        }
        try await enter(running, hasLaunched: token.hasLaunched)
        current = Current(run: run, course: CastRun(.application))
        showApplication(run)
        if running.playsMedia { _ = try? await ask(.mediaStatus(of: running.transportID)) }
        return true
    }

    /// Reports an app that plays nothing, but runs.
    private func showApplication(_ run: PlaybackRun) {
        var snapshot = PlaybackSnapshot(isPlaying: true, position: 0)
        snapshot.canSeek = false
        snapshot.title = application?.name
        sink.yield(.playback(snapshot, of: run))
    }

    func send(_ data: Data, to run: PlaybackRun) async throws(MediaDeviceError) {
        guard let current, current.run == run, let application, let channel = application.channel else {
            throw MediaDeviceError(.notSupported, "The app on “\(name)” has no channel of its own.")
        }
        let payload = String(validating: data, as: UTF8.self).map { CastMessage.Payload.text($0) }
        _ = try await send(.message(payload ?? .binary(Array(data)), in: channel, to: application))
    }

    func received(_ payload: CastMessage.Payload, _ namespace: String, _ transport: String) {
        guard let current, current.course.kind == .application, let application,
            transport == application.transportID, namespace == application.channel
        else { return }
        switch payload {
        case .text(let text): sink.yield(.data(Data(text.utf8), of: current.run))
        case .binary(let bytes): sink.yield(.data(Data(bytes), of: current.run))
        }
    }
}
