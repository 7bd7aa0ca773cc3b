import CastStreaming
import DeviceConnections
import GoogleCastProtocol
import JSONValues
import PlaybackKit

/// Live sound, which is streamed to an app of the device instead of loaded by it.
extension CastPlayer {
    /// The time from the program to the first packet, in seconds.
    private static var usualDelay: Double { 0.1 }

    nonisolated var sampleRate: Int? { AudioFormat.rate }

    func play(_ samples: PlayableSamples, as run: PlaybackRun) async throws(MediaDeviceError) {
        let application = try await enterStreamReceiver()
        current = Current(run: run, course: CastRun(.application))
        do throws(MediaDeviceError) {
            // Senders of Google take these numbers for sound.
            var offer = StreamOffer(
                number: .random(in: 1...1_000_000), source: .random(in: 1...500_000), cipher: FrameCipher())
            if let latency = samples.requestedLatency {
                let delays = AudioFormat.delays
                offer.delay = min(max(latency - Self.usualDelay, delays.lowerBound), delays.upperBound)
            }
            let answer = try await send(.offer(offer.fields, number: offer.number, to: application))
            guard case .accepted(let port, let receiver) = StreamAnswer(answer) else {
                throw MediaDeviceError(.deviceRefused, "“\(name)” doesn't accept live sound.")
            }
            guard case .hostPort(let host, _)? = await connection.endpoint,
                let port = NWEndpoint.Port(rawValue: port)
            else { throw MediaDeviceError(.connectionFailed, reason: "“\(name)” has no address.") }
            let sound = try await CastSound.open(
                samples, offer: offer, to: .hostPort(host: host, port: port), receiver: receiver)
            guard current?.run == run else {
                await sound.close()
                throw MediaDeviceError(.sessionFailed, reason: "Playback was stopped.")
            }
            self.sound = sound
            Task { for await event in sound.events { self.happened(event, to: run) } }
        } catch {
            await stop(run)
            throw error
        }
    }

    /// Starts the app for live sound. An app of another sender isn't joined, because there is one offer at a time.
    private func enterStreamReceiver() async throws(MediaDeviceError) -> CastApplication {
        let answer = try? await ask(.availability(of: CastNames.streamReceivers))
        let known = answer?["availability"]
        let available = CastNames.streamReceivers.filter { known?[$0]?.string == "APP_AVAILABLE" }
        var refusal: MediaDeviceError?
        for application in available.isEmpty ? CastNames.streamReceivers : available {
            do throws(MediaDeviceError) { return try await enterApplication(application) } catch {
                guard error.code == .sessionFailed else { throw error }
                refusal = error
            }
        }
        throw refusal ?? CastRefusal.launch(.notFound).asDeviceError()
    }

    private func happened(_ event: CastSound.Event, to run: PlaybackRun) {
        guard current?.run == run else { return }
        switch event {
        case .playing(let position, let time): report(PlaybackSnapshot(isPlaying: true, position: position, time: time))
        case .paused(let position): report(PlaybackSnapshot(isPlaying: false, position: position))
        case .finished: endSound(.finished)
        case .failed(let error): endSound(.failed(error))
        }
        func report(_ snapshot: PlaybackSnapshot) {
            var snapshot = snapshot
            snapshot.canSeek = false
            snapshot.isLive = true
            sink.yield(.playback(snapshot, of: run))
        }
    }

    private func endSound(_ ending: PlaybackEnding) {
        let application = hasLaunched ? application : nil
        end(ending)
        guard let application else { return }
        Task { _ = try? await ask(.stopApplication(application.sessionID)) }
    }

    /// Ends the stream, if there is one.
    func closeSound() {
        guard let sound else { return }
        self.sound = nil
        Task { await sound.close() }
    }
}
