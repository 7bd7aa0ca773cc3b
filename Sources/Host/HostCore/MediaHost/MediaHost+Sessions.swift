package import Foundation
package import HostInterface
import LinkProtocol

extension MediaHost {
    /// Plays `source` on one or several devices, and first stops their earlier playback.
    ///
    /// A follower represents its group: the source plays on all of it.
    ///
    /// - Parameters:
    ///   - source: The media.
    ///   - others: Exactly the other devices that play too; `nil` for those in the device's group.
    ///   - application: The remote application to launch; `nil` for the device's own player.
    ///   - via: The part of a merged device, see ``parts(of:via:)``; `nil` for one that can play, see
    ///     ``withPart(of:via:where:unable:_:)``.
    ///   - owner: As ``HostSession/owner``.
    ///   - request: As ``HostSession/request``; a session that an earlier daemon began for it is resumed.
    /// - Returns: The session's identifier, once the device accepted the playback.
    /// - Throws: ``HostError``: those of ``activate(_:via:holder:prompt:)`` and ``join(_:_:prompt:)``, and `file-not-found`,
    ///   `unsupported-format`, `unreachable-url`, `session-failed`, `device-refused`, `not-supported`, and
    ///   `invalid-argument` for an empty stream.
    package func play(
        _ source: PlaybackSource, on id: String, with others: [String]? = nil, application: String?,
        media: MediaInformation, via: String? = nil, owner: String? = nil, request: String? = nil,
        prompt: PairingPrompt?
    ) async throws -> String {
        if let begun = await begun(request) { return begun }
        if case .address(let url) = source, url.isFileURL { try FileContent.check(url) }
        let group = try others?.map { other throws(HostError) in try parts(of: other) }
        let able = try parts(of: id, via: via).filter {
            application == nil ? source.isPlayed(by: $0.description) : $0.description.capabilities.contains(.appLaunch)
        }
        let leaders = try group.map { group throws(HostError) in
            try self.leaders(of: group, among: able, application: application)
        }
        return try await withPart(
            of: id, via: via,
            where: { part in (leaders ?? able).contains { $0.id == part.id } },
            unable: {
                HostError(.notSupported, application == nil ? source.refusal(of: $0) : "\($0) runs no apps.")
            }
        ) { part in
            try await play(
                source, on: part, with: group, application: application, media: media, owner: owner,
                request: request, prompt: prompt)
        }
    }

    /// Returns the session that an app began by the request with the previous daemon, once it is resumed.
    private func begun(_ request: String?) async -> String? {
        guard let request, let session = sessions.values.first(where: { $0.request == request }) else { return nil }
        // A session that can't be resumed begins again.
        try? await awaitRecovery(ofSession: session.id)
        return sessions[session.id]?.state == .active ? session.id : nil
    }

    /// Plays an address or a file.
    package func play(
        _ address: URL, on id: String, with others: [String]? = nil, application: String?, media: MediaInformation,
        via: String? = nil, owner: String? = nil, request: String? = nil, prompt: PairingPrompt?
    ) async throws -> String {
        try await play(
            .address(address), on: id, with: others, application: application, media: media, via: via,
            owner: owner, request: request, prompt: prompt)
    }

    private func play(
        _ source: PlaybackSource, on part: HostDevice, with others: [[HostDevice]]?, application: String?,
        media: MediaInformation, owner: String?, request: String?, prompt: PairingPrompt?
    ) async throws -> String {
        // A follower stands for its group.
        let device = try others == nil ? self.device(groups.leader(of: part.id)) : part
        let id = device.id
        if let others {
            try await gather(
                companions(of: device, among: others, application: application), on: device, prompt: prompt)
        }
        try await openRoute(id, for: owner.map(RoutePurpose.application) ?? .person, prompt: prompt)
        if let current = routes[id]?.currentSession, let session = sessions[current] {
            try SessionTakeover.check(session, by: owner, of: ownerName(session), on: spokenName(id))
            await stopPlayback(current, reason: SessionTakeover.reason(session), ending: .replaced)
        }
        // Playback through another part of a merged device uses the same device.
        for other in identities.devices(of: identities.entry(of: id)) where other != id {
            guard let current = routes[other]?.currentSession else { continue }
            await stopPlayback(current, reason: nil, ending: .replaced)
            await closeUnneededRoute(other)
        }
        guard let route = routes[id] else { throw HostError(.unreachable, "\(spokenName(id)) went away.") }

        lastSession += 1
        var session = HostSession(
            id: String(lastSession), deviceID: id, source: source.address, application: application, media: media)
        session.owner = owner
        session.request = request
        session.members = groups.members(of: id).filter { activations[$0] == nil }
        let players = session.members.compactMap { registry[$0] }
        routes[id]?.currentSession = session.id
        do {
            if case .stream(let stream) = source, stream.samples != nil { session.media.isLiveSound = true }
            if try await deliver(source, to: device, in: session, route) { return session.id }
            let served = try await serve(source, to: players)
            routes[id]?.servedFile = served
            if let served { session.media.contentType = session.media.contentType ?? served.contentType }
            let url = served?.url.absoluteString ?? session.source
            adoptable[session.id] = AdoptableSession(
                id: session.id, device: device.description,
                others: players.count > 1 ? players.dropFirst().map(\.description) : nil,
                extensionIdentifier: route.extensionIdentifier,
                source: session.source, url: url, application: application, owner: owner, request: request,
                media: session.media, servedFile: routes[id]?.servedFile)
            if application == nil, takesSamplesOnly(device.description, of: device.extensionIdentifier) {
                try await deliver(url, latency: source.latency, in: session, route)
                return session.id
            }
            sessions[session.id] = session
            publish(session)
            // Record before asking the device, so that the next daemon knows of it in any case.
            await keepRecord(session.id)
            guard routes[sessions[session.id]?.deviceID ?? id]?.currentSession == session.id else {
                throw HostError(.cancelled, "Another session replaced it.")
            }
            try await start(session, url: url, route: route)
            if adoptable[session.id]?.token != nil { await keepRecord(session.id) }
            return session.id
        } catch {
            let error = (error as? HostError) ?? HostError(.internalFailure, "\(error)")
            // If the session is gone, another playback replaced it and has reported its end already.
            let leader = sessions[session.id]?.deviceID ?? id
            guard routes[leader]?.currentSession == session.id else { throw error }
            if sessions[session.id] == nil { sessions[session.id] = session }
            if error.code == .timedOut {
                // The playback may still begin, and no session would represent it.
                await stopInExtension(routes[leader] ?? route)
            }
            await finish(session.id, error: error)
            throw error
        }
    }

    /// Serves media that the devices can't open themselves; `nil` for other media.
    private func serve(_ source: PlaybackSource, to players: [HostDevice]) async throws -> ServedFile? {
        let readers = players.flatMap(\.description.mediaReaders)
        switch source {
        case .address(let url): return url.isFileURL ? try await files.serve(url, to: readers) : nil
        case .stream(let stream):
            let format = players.first?.description.liveFormat ?? .wave
            return try await files.serve(stream, as: format, to: readers)
        case .screen: return nil
        }
    }

    private func start(_ session: HostSession, url: String, route: Route) async throws {
        let name = spokenName(session.deviceID)
        if let refusal = DeclarationRules.refusal(ofAddress: url, status: statuses[route.extensionIdentifier]) {
            throw refusal
        }
        var information = media(session.media, at: url)
        // The addresses are the device's alone, so that they aren't published with the session.
        information.subtitles = routes[session.deviceID]?.servedFile?.subtitles?.map {
            MediaInformation.Subtitles(url: $0.url.absoluteString, name: $0.name, language: $0.language)
        }
        let call = ExtensionCall.startSession(
            session: route.linkSession, identifier: session.application, url: url, media: information)
        try await starts.outcome(
            session.id, within: timing.sessionStart, clock: clock,
            late: HostError(.timedOut, "\(name) did not start playing in time.")
        ) { [runner] in
            try await runner.perform(call, on: route.extensionIdentifier)
        }
    }

    package func session(_ id: String) throws(HostError) -> HostSession {
        guard let session = sessions[id] else { throw HostError(.noSuchSession, "There is no session \(id).") }
        return shown(session)
    }

    /// Sends a client's command to the control object. The device's state shows the result.
    package func command(_ command: PlaybackCommand, session id: String) async throws {
        let session = try session(id)
        guard routes[session.deviceID]?.currentSession == id else {
            throw HostError(.noSuchSession, "Session \(id) has ended.")
        }
        if groups.isGrouped(session.deviceID) {
            switch (command.kind, command.number, command.flag) {
            case (.setVolume, let level?, _):
                return try await setGroupVolume(level, device: session.deviceID, prompt: nil)
            case (.setMuted, _, let isMuted?):
                return try await setGroupMuted(isMuted, device: session.deviceID, prompt: nil)
            default: break
            }
        }
        // A feature that the playback lacks may be available on its device.
        let device = registry[session.deviceID]?.description
        switch (command.kind, command.number, command.flag) {
        case (.setVolume, let level?, _)
        where !session.playback.supports(.volume) && device?.volumeControl == .absolute:
            return try await setVolume(level, device: session.deviceID, prompt: nil)
        case (.setMuted, _, let isMuted?) where !session.playback.supports(.mute) && device?.canMute == true:
            return try await setMuted(isMuted, device: session.deviceID, prompt: nil)
        default: break
        }
        // The earlier daemon's delivery continues after the recovery.
        if adoptable[id]?.delivered != nil, deliveredPlaybacks[id] == nil { try await awaitRecovery(ofSession: id) }
        if let playback = deliveredPlaybacks[id], try playback.performs(command) { return }
        try await fulfil(.playback(command), on: session.deviceID)
        deliveredPlaybacks[id]?.follow(command)
    }

    /// Stops a session, and releases the device if no one holds its route.
    ///
    /// - Throws: ``HostError`` `unreachable` if the device doesn't answer. The session ends all the same.
    package func stop(_ id: String) async throws {
        let device = try session(id).deviceID
        // A stop must reach the device, and only this host can send it.
        try? await awaitRecovery(ofSession: id)
        let leader = sessions[id]?.deviceID ?? device
        let outcome: Result<Void, HostError>
        do {
            try await awaitReturn(of: leader)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await stopPlayback(id, reason: nil)
        await closeUnneededRoute(leader)
        try outcome.get()
    }

    /// - Parameters:
    ///   - reason: The error with which it fails; `nil` for a session that just ends.
    ///   - ending: The way in which it ends without an error.
    func stopPlayback(_ id: String, reason: HostError?, ending: SessionEnding = .stopped) async {
        guard let session = sessions[id], !session.state.isOver else { return }
        if let route = routes[session.deviceID], route.currentSession == id {
            await stopInExtension(route)
        }
        await finish(id, error: reason, ending: ending, keepRoute: true)
    }

    private func stopInExtension(_ route: Route) async {
        route.delivery?.end()
        // Nothing was started there while the medium is being opened.
        if let id = route.currentSession, deliveredPlaybacks[id] != nil, route.delivery == nil { return }
        try? await runner.perform(route.stop, on: route.extensionIdentifier)
        if route.delivery != nil { await hearOutQuality() }
    }

    func playbackStarted(_ route: Route, _ state: PlaybackState) {
        guard let id = route.currentSession, var session = sessions[id] else { return }
        if deliveredPlaybacks[id] != nil, route.delivery == nil { return }
        deliveredPlaybacks[id]?.control = state
        session.state = .active
        session.hasControl = true
        session.playback = deliveredPlaybacks[id]?.state ?? state
        sessions[id] = session
        routes[route.deviceID]?.delivery?.hold(!state.isPlaying)
        publish(session)
        starts.fulfil(id, with: ())
    }

    func playbackChanged(_ route: Route, _ state: PlaybackState) {
        // Before `started` it can only be the echo of the playback that was replaced.
        guard let id = route.currentSession, var session = sessions[id], session.state == .active else { return }
        deliveredPlaybacks[id]?.take(state)
        session.playback = deliveredPlaybacks[id]?.state ?? state
        sessions[id] = session
        routes[route.deviceID]?.delivery?.hold(!state.isPlaying)
        publish(session)
    }

    func qualityMeasured(_ route: Route, _ quality: DeliveryQuality) {
        guard let id = route.currentSession, var session = sessions[id], !session.state.isOver else { return }
        session.quality = quality
        deliveredPlaybacks[id]?.latency = quality.latency
        keepPlace(of: id)
        if let state = deliveredPlaybacks[id]?.state, session.state == .active { session.playback = state }
        sessions[id] = session
        publish(session)
    }

    func playbackFailed(_ route: Route, _ error: HostError) {
        guard let id = route.currentSession else { return }
        if starts.fail(id, with: error) { return }
        Task { await finish(id, error: error) }
    }

    func playbackEnded(_ route: Route, _ reported: ReportedEnding?) {
        guard let id = route.currentSession, let session = sessions[id] else { return }
        switch session.state {
        case .active:
            if case .takenOver(let name)? = reported { sessions[id]?.successor = name }
            let ending = reported.map(SessionEnding.init) ?? SessionEnding(of: session, at: MonotonicTime.now)
            Task { await finish(id, error: nil, ending: ending) }
        case .reconnecting: starts.fail(id, with: PlaybackIsOver())
        case .starting where session.isOthers: starts.fail(id, with: PlaybackIsOver())
        // The echo of the playback that was replaced.
        case .starting, .ended, .failed: break
        }
    }

    func setAdoptionToken(_ token: Data?, _ route: Route) {
        if let id = route.currentSession { changeRecord(id) { $0.token = token } }
    }

    /// Ends a session in the host: publishes its last state, stops serving its file, removes its object, and closes the
    /// route if no one needs it.
    func finish(_ id: String, error: HostError?, ending: SessionEnding? = nil, keepRoute: Bool = false) async {
        guard var session = sessions[id], !session.state.isOver else { return }
        session.state = error == nil ? .ended : .failed
        session.error = error
        session.ending = error == nil ? ending : nil
        if let playback = deliveredPlaybacks[id] { session.playback = playback.state.stopped(at: MonotonicTime.now) }
        session.playback.isPlaying = false
        session.playback.position.rate = 0
        sessions[id] = session
        starts.fail(id, with: error ?? HostError(.cancelled, "The session was stopped."))
        deliveredPlaybacks.removeValue(forKey: id)?.delivery.end()
        publish(session)
        if let error, error.code != .cancelled { publish(registry.update(session.deviceID) { $0.lastError = error }) }
        if routes[session.deviceID]?.currentSession == id {
            routes[session.deviceID]?.currentSession = nil
            let served = routes[session.deviceID]?.servedFile
            routes[session.deviceID]?.servedFile = nil
            routes[session.deviceID]?.delivery?.end()
            routes[session.deviceID]?.delivery = nil
            if let served { await files.withdraw(served) }
        }
        await dropRecord(id)
        sessions[id] = nil
        outbox.yield(.sessionRemoved(id: id))
        if !keepRoute { await closeUnneededRoute(session.deviceID) }
    }
}
