import CastStreaming
import DeviceConnections
import GoogleCastProtocol
import JSONValues
import Opus
import PlaybackKit

/// Live sound and the screen, which are streamed to an app of the device instead of loaded by it.
extension CastPlayer {
    /// The time from the program to the first packet, in seconds.
    private static var usualDelay: Double { 0.1 }

    /// The least latency of live sound, in seconds.
    static var leastLatency: Double { usualDelay + AudioFormat.delays.lowerBound }
    /// The latency of live sound for which none is asked, in seconds.
    static var usualLatency: Double { usualDelay + AudioFormat.delay }

    nonisolated var sampleRate: Int? { AudioFormat.rate }

    func play(_ samples: PlayableSamples, as run: PlaybackRun) async throws(MediaDeviceError) {
        let offer = StreamOffer.random(hasSound: true).with(latency: samples.requestedLatency, after: Self.usualDelay)
        try await stream(offer, in: CastNames.soundReceivers, as: run) { transmission throws(MediaDeviceError) in
            guard transmission.streams.contains(.sound) else { throw self.refusal("live sound") }
            return CastSound(samples, try OpusEncoder.forStream(), to: transmission)
        }
    }

    func play(
        _ video: PlayableVideo, with samples: PlayableSamples?, as run: PlaybackRun
    ) async throws(MediaDeviceError) {
        let format = PictureFormat(width: video.width, height: video.height, rate: video.frameRate)
        let offer = StreamOffer.random(hasSound: samples != nil, format)
            .with(latency: video.requestedLatency, after: 0)
        try await stream(offer, in: CastNames.screenReceivers, as: run) { transmission throws(MediaDeviceError) in
            guard transmission.streams.contains(.pictures) else { throw self.refusal("H.264 video") }
            let encoder = transmission.streams.contains(.sound) ? try OpusEncoder.forStream() : nil
            return CastScreen(video, samples, encoder, to: transmission)
        }
    }

    private func refusal(_ media: String) -> MediaDeviceError {
        MediaDeviceError(.deviceRefused, "“\(name)” doesn't accept \(media).")
    }

    private func stream(
        _ offer: StreamOffer, in applications: [String], as run: PlaybackRun,
        _ make: (CastTransmission) throws(MediaDeviceError) -> any CastLiveStream
    ) async throws(MediaDeviceError) {
        let application = try await enterStreamReceiver(applications)
        current = Current(run: run, course: CastRun(.application))
        do throws(MediaDeviceError) {
            let answer = try await send(.offer(offer.fields, number: offer.number, to: application))
            guard case .accepted(let port, let receivers, let limits) = StreamAnswer(answer) else {
                throw refusal(offer.pictures == nil ? "live sound" : "live video")
            }
            if let most = offer.pictureFormat.flatMap(limits.excess) {
                throw MediaDeviceError(.notSupported, "“\(name)” shows at most \(most).")
            }
            guard case .hostPort(let host, _)? = await connection.endpoint,
                let port = NWEndpoint.Port(rawValue: port)
            else { throw MediaDeviceError(.connectionFailed, reason: "“\(name)” has no address.") }
            // Another sender may have started the app, but it only plays this stream now.
            hasLaunched = true
            let transmission = try await CastTransmission.open(
                offer, to: .hostPort(host: host, port: port), receivers: receivers)
            let stream: any CastLiveStream
            do throws(MediaDeviceError) { stream = try make(transmission) } catch {
                await transmission.close()
                throw error
            }
            guard current?.run == run else {
                await stream.close()
                throw MediaDeviceError(.sessionFailed, reason: "Playback was stopped.")
            }
            live = stream
            await stream.begin()
            Task { for await event in stream.events { self.happened(event, to: run) } }
        } catch {
            await stop(run)
            throw error
        }
    }

    /// Enters the first of some apps that the device has. One that runs already was left by a process that died, or is another
    /// sender's, whose stream this one replaces.
    private func enterStreamReceiver(
        _ applications: [String]
    ) async throws(MediaDeviceError) -> CastApplication {
        let answer = try? await ask(.availability(of: applications))
        let known = answer?["availability"]
        let available = applications.filter { known?[$0]?.string == "APP_AVAILABLE" }
        var refusal: MediaDeviceError?
        for application in available.isEmpty ? applications : available {
            do throws(MediaDeviceError) { return try await enterApplication(application) } catch {
                guard error.code == .sessionFailed else { throw error }
                refusal = error
            }
        }
        throw refusal ?? CastRefusal.launch(.notFound).asDeviceError()
    }

    private func happened(_ event: CastLiveEvent, to run: PlaybackRun) {
        guard current?.run == run else { return }
        switch event {
        case .playing(let position, let time): report(PlaybackSnapshot(isPlaying: true, position: position, time: time))
        case .paused(let position): report(PlaybackSnapshot(isPlaying: false, position: position))
        case .quality(let quality): sink.yield(.quality(quality, of: run))
        case .finished: endLive(.finished)
        case .failed(let error): endLive(.failed(error))
        }
        func report(_ snapshot: PlaybackSnapshot) {
            var snapshot = snapshot
            snapshot.canSeek = false
            snapshot.isLive = true
            snapshot.hasVideo = live is CastScreen
            sink.yield(.playback(snapshot, of: run))
        }
    }

    private func endLive(_ ending: PlaybackEnding) {
        let application = hasLaunched ? application : nil
        end(ending)
        guard let application else { return }
        Task { _ = try? await ask(.stopApplication(application.sessionID)) }
    }

    /// Ends the stream, if there is one.
    func closeLive() {
        guard let live else { return }
        self.live = nil
        Task { await live.close() }
    }
}

extension StreamOffer {
    /// Returns the offer with the delay for a latency that a person asked for.
    ///
    /// - Parameter earlier: The part of the latency before the stream.
    fileprivate func with(latency: Double?, after earlier: Double) -> StreamOffer {
        guard let latency else { return self }
        var offer = self
        offer.delay = min(max(latency - earlier, AudioFormat.delays.lowerBound), AudioFormat.delays.upperBound)
        return offer
    }
}
