import AirPlayProtocol
import Foundation
import LiveSound
import Logging
import MediaDevice
import MediaReading
import PlaybackKit

/// The receivers of a playback: they join, leave, get lost and return.
extension AirPlayPlaybackSession {
    /// Connects to all receivers before the start, so that all start together.
    ///
    /// - Throws: The failure of the first receiver, if none can be reached.
    func gather() async throws(MediaDeviceError) {
        for speaker in speakers { invite(speaker) }
        for arrival in arrivals.values { await arrival.value }
        let failures = await welcome()
        guard !links.isEmpty else {
            let first = speakers.first.flatMap { failures[$0.id] } ?? .disconnected("it is not wanted any more")
            throw MediaDeviceError(first, .sessionFailed)
        }
        for (id, error) in failures { drop(id, error) }
    }

    /// Adds and removes receivers as requested.
    ///
    /// - Throws: The reason for the loss of the only receiver, if it doesn't return.
    func settleSpeakers() async throws(MediaDeviceError) {
        var losses: [UUID: AirPlayError] = [:]
        for (id, error) in lost {
            lost[id] = nil
            guard let link = links.removeValue(forKey: id) else { continue }
            followers.removeValue(forKey: id)?.cancel()
            await link.drop(in: sender)
            if speakers.contains(where: { $0.id == id }) { losses[id] = error }
        }
        for (id, error) in await welcome() { losses[id] = error }
        if let first = speakers.first(where: { losses[$0.id] != nil }), links.isEmpty, arrivals.isEmpty,
            let error = losses.removeValue(forKey: first.id)
        {
            for (id, error) in losses { drop(id, error) }
            return try await reach(first, error)
        }
        for (id, error) in losses { drop(id, error) }
        for (id, link) in links where !speakers.contains(where: { $0.id == id }) {
            links[id] = nil
            followers.removeValue(forKey: id)?.cancel()
            await link.close(in: sender)
        }
        for speaker in speakers where links[speaker.id] == nil && arrivals[speaker.id] == nil { invite(speaker) }
    }

    /// Releases all speakers.
    func letGo() async {
        for arrival in arrivals.values { await arrival.value }
        for case .success(let link) in arrived.values { links[link.speaker.id] = link }
        arrived = [:]
        let leaving = links
        links = [:]
        for follower in followers.values { follower.cancel() }
        followers = [:]
        for link in leaving.values { await link.close(in: sender) }
    }

    /// Starts to connect to a receiver. The result wakes the worker.
    private func invite(_ speaker: Speaker) {
        arrivals[speaker.id] = Task { [sender, setting] in
            do throws(AirPlayError) {
                arrived[speaker.id] = .success(
                    try await SpeakerLink.open(speaker, in: sender, setting) { [weak self] command in
                        await self?.pressed(command, on: speaker.id)
                    })
            } catch {
                arrived[speaker.id] = .failure(error)
            }
            arrivals[speaker.id] = nil
            wake.yield()
        }
    }

    /// Adds the connected receivers.
    ///
    /// - Returns: The failures of the others.
    private func welcome() async -> [UUID: AirPlayError] {
        var failures: [UUID: AirPlayError] = [:]
        for (id, result) in arrived {
            arrived[id] = nil
            switch result {
            case .success(let link):
                links[id] = link
                followers[id] = Task { [weak self] in
                    for await error in link.connection.end {
                        self?.lost[id] = self?.lost[id] ?? error
                        self?.wake.yield()
                    }
                }
                await settleLevel(of: id)
                if isRunning {
                    await describe(to: link)
                    await tellProgress(to: link)
                }
            case .failure(let error): failures[id] = error
            }
        }
        return failures
    }

    /// Removes a lost receiver while others remain.
    private func drop(_ id: UUID, _ error: AirPlayError) {
        guard speakers.contains(where: { $0.id == id }) else { return }
        speakers.removeAll { $0.id == id }
        onReport(.left(id, MediaDeviceError(error, .connectionFailed)))
    }

    /// Reconnects to the only receiver. Playback resumes where the listener was.
    private func reach(_ speaker: Speaker, _ first: AirPlayError) async throws(MediaDeviceError) {
        try await halt()
        control.connectionLost()
        defer { control.connectionReturned() }
        var error = first
        var schedule = ReconnectPolicy.Schedule(setting.reconnection)
        let loss = ContinuousClock.now
        while error.canPass, !isStopped, speakers.contains(where: { $0.id == speaker.id }) {
            guard let delay = schedule.next(elapsed: loss.duration(to: .now)) else { break }
            log.info(
                "looking for a lost receiver", metadata: ["name": "\(speaker.name)", "reason": "\(error.sentence)"])
            let pause = Task { _ = try? await Task.sleep(for: delay) }
            self.pause = pause
            await pause.value
            guard !isStopped else { return }
            invite(speakers.first { $0.id == speaker.id } ?? speaker)
            await arrivals[speaker.id]?.value
            guard let failure = await welcome()[speaker.id] else {
                if let link = links[speaker.id] { await describe(to: link) }
                return
            }
            error = failure
        }
        guard !isStopped, speakers.contains(where: { $0.id == speaker.id }) else { return }
        throw MediaDeviceError(error, .sessionFailed)
    }

    /// Reports a key press on a receiver.
    private func pressed(_ command: RemoteCommand, on id: UUID) {
        guard !isStopped, links[id] != nil else { return }
        onReport(.pressed(command, on: id))
    }

    /// Sets the volume that a person requested, or else adopts the receiver's.
    func settleLevel(of id: UUID) async {
        if let wanted = wantedLevels.removeValue(forKey: id) {
            return await ask(id) { session throws(AirPlayError) in try await session.setVolume(wanted) }
        }
        await ask(id) { session throws(AirPlayError) in
            if let level = try await session.volume() { onReport(.level(level, of: id)) }
        }
    }

    /// Sends a request to a receiver. A receiver that doesn't answer counts as lost.
    func ask(_ id: UUID, _ work: (AudioSession) async throws(AirPlayError) -> Void) async {
        guard let link = links[id] else { return }
        do throws(AirPlayError) {
            try await work(link.session)
        } catch {
            lost[id] = lost[id] ?? error
            wake.yield()
        }
    }

    // MARK: Telling

    /// Sends the metadata to a receiver. One that doesn't accept it plays all the same.
    func describe(to link: SpeakerLink) async {
        guard let facts = source?.facts else { return }
        let timestamp = await sender.nextPacket.timestamp
        do throws(AirPlayError) {
            if link.speaker.metadata.contains(.text) {
                let text = MediaText(
                    title: information?.title ?? facts.title, artist: information?.artist ?? facts.artist,
                    album: facts.album, genre: facts.genre)
                try await link.session.setText(text, from: timestamp)
            }
            if link.speaker.metadata.contains(.artwork), let picture = facts.picture {
                try await link.session.setPicture(
                    picture.bytes, contentType: picture.contentType, from: timestamp)
            }
        } catch {
            log.info("what plays could not be told", metadata: ["reason": "\(error.sentence)"])
        }
    }

    func tellProgress(to link: SpeakerLink) async {
        guard link.speaker.metadata.contains(.progress), let duration = source?.facts.duration else { return }
        let progress = await sender.progress(duration: Int64(duration * Self.rate))
        do throws(AirPlayError) {
            try await link.session.setProgress(progress)
        } catch {
            log.info("the progress could not be told", metadata: ["reason": "\(error.sentence)"])
        }
    }
}
