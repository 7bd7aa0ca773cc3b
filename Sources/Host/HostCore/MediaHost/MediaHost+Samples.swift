import Foundation
package import HostInterface
import LinkProtocol

/// Live sound for extensions that take samples (`RealtimeSampleHandling`).
extension MediaHost {
    /// The time after the last samples until the device is stopped, if its extension reports no latency.
    private static let usualLatency = 2.0
    /// The longest latency of a device that is waited for, in seconds.
    private static let longestLatency = 30.0

    /// Delivers a source in a session that is starting, if it is samples that the device's extension takes.
    ///
    /// - Returns: `false` if the device has to read it from a URL.
    /// - Throws: ``HostError`` `not-supported` for a screen that the extension doesn't take.
    func deliver(
        _ source: PlaybackSource, to device: HostDevice, in session: HostSession, _ route: Route
    ) async throws -> Bool {
        switch source {
        case .screen(let screen): try await deliver(screen, in: session, route, device)
        case .stream(let stream):
            guard session.application == nil, let format = stream.samples, takesSamples(device) else { return false }
            try await deliver(stream, format, in: session, route)
        case .address: return false
        }
        return true
    }

    /// Checks that a latency can be asked of a device.
    ///
    /// - Throws: ``HostError`` `no-such-device`, and `not-supported` for a device that reads the sound from a URL.
    package func checkLatency(of id: String) throws(HostError) {
        guard try !parts(of: id).contains(where: takesSamples) else { return }
        throw HostError(
            .notSupported,
            "\(spokenName(id)) reads the sound from a URL and chooses its latency itself.")
    }

    private func takesSamples(_ device: HostDevice) -> Bool {
        takesSamples(device.description, of: device.extensionIdentifier)
    }

    private func takesSamples(_ device: DeviceDescription, of extensionIdentifier: String) -> Bool {
        device.capabilities.contains(.realtimeAudio)
            && statuses[extensionIdentifier]?.handlesRealtimeSamples == true
    }

    /// Returns a Boolean value that indicates whether neither a device nor its extension plays URLs, so that the host reads
    /// them and delivers samples.
    func takesSamplesOnly(_ device: DeviceDescription, of extensionIdentifier: String) -> Bool {
        takesSamples(device, of: extensionIdentifier) && !device.capabilities.contains(.urlPlayback)
            && statuses[extensionIdentifier]?.readsMedia != true
    }

    private func deliver(_ screen: OpenScreen, in session: HostSession, _ route: Route, _ device: HostDevice)
        async throws
    {
        guard statuses[device.extensionIdentifier]?.handlesRealtimeSamples == true else {
            throw HostError(.notSupported, "The extension of \(spokenName(device.id)) takes no live video.")
        }
        let id = session.id
        try await deliver(session, route) { host in
            try host.samples.begin(screen) { [weak host] in Task { await host?.samplesEnded(id, .success(())) } }
        }
    }

    private func deliver(_ stream: OpenStream, _ format: SampleFormat, in session: HostSession, _ route: Route)
        async throws
    {
        let id = session.id
        try await deliver(session, route) { host in
            try host.samples.begin(stream, format: format) { [weak host] result in
                Task { await host?.samplesEnded(id, result) }
            }
        }
    }

    private func deliver(
        _ session: HostSession, _ route: Route, _ begin: (isolated MediaHost) throws -> any SampleDelivery
    ) async throws {
        publishDelivered(session)
        let delivery = try begin(self)
        routes[route.deviceID]?.delivery = delivery
        try await connect(delivery, to: route, session.id)
    }

    /// Publishes that a session, which is starting, gets samples.
    func publishDelivered(_ session: HostSession) {
        var session = session
        session.takesSamples = true
        sessions[session.id] = session
        publish(session)
    }

    /// Starts a delivery in the extension's process. The session is active afterwards.
    func connect(_ delivery: any SampleDelivery, to route: Route, _ id: String) async throws {
        guard let session = sessions[id] else { throw HostError(.cancelled, "The session was stopped.") }
        deliveredPlaybacks[id]?.control = nil
        let information = deliveredPlaybacks[id]?.informationForExtension ?? session.media
        let call = ExtensionCall.startSampleDelivery(
            session: route.linkSession, samples: try delivery.connect(), media: media(information, at: session.source))
        try await runner.perform(call, on: route.extensionIdentifier)
        // A report of the extension may have come first.
        guard var session = sessions[id], !session.state.isOver, session.state != .active else { return }
        session.state = .active
        session.playback = deliveredPlaybacks[id]?.state ?? Self.delivering(from: session.playback)
        sessions[id] = session
        publish(session)
    }

    /// Tells the devices of a session with live sound, and everybody who watches it, what the sound is. Does nothing for
    /// other sessions.
    func describe(_ id: String, title: String, artist: String?, artworkURL: String?) async {
        guard var session = sessions[id], session.media.isLiveSound == true, !session.state.isOver else { return }
        session.media.title = title
        session.media.artist = artist
        session.media.artworkURL = artworkURL
        guard session.media != sessions[id]?.media else { return }
        sessions[id] = session
        publish(session)
        // Until then, it is told at the start of the delivery.
        guard session.state == .active, let route = routes[session.deviceID] else { return }
        let call = ExtensionCall.updateMediaInformation(
            session: route.linkSession, media: media(session.media, at: session.source))
        // A process that fails is replaced, and the next one is told at its start.
        try? await runner.perform(call, on: route.extensionIdentifier)
    }

    /// The playback while samples are delivered, unless the extension has a control object.
    private static func delivering(from earlier: PlaybackState) -> PlaybackState {
        guard !earlier.isReady else { return earlier }
        var state = PlaybackState()
        state.isReady = true
        state.isPlaying = true
        state.isLive = true
        state.unsupported = [.playbackSpeed, .mute, .volume]
        state.position = PlaybackState.Position(value: 0, hostTime: MonotonicTime.now, rate: 1)
        return state
    }

    func samplesEnded(_ id: String, _ result: Result<Void, HostError>) async {
        switch result {
        case .success:
            // The last samples are still on their way to the listener. Who has a control object reports the end.
            let reported = sessions[id]?.quality?.latency ?? Self.usualLatency
            let latency = sessions[id]?.hasControl == true ? Self.longestLatency : reported
            guard (try? await clock.sleep(for: .seconds(min(latency, Self.longestLatency)))) != nil else { return }
            await endDelivery(id, reason: nil)
        case .failure(let error): await endDelivery(id, reason: error)
        }
    }

    private func endDelivery(_ id: String, reason: HostError?) async {
        guard let device = sessions[id]?.deviceID else { return }
        await stopPlayback(id, reason: reason, ending: .finished)
        await closeUnneededRoute(device)
    }

    /// Waits for an extension's word about the delivery that it stopped.
    func hearOutQuality() async {
        if !isShuttingDown { await hearOut() }
    }

    /// Takes an extension's word about a delivery that it ended.
    func deliveryJudged(_ route: Route, passed: Bool) {
        publish(registry.update(route.deviceID) { $0.lastDeliveryPassed = passed })
    }
}
