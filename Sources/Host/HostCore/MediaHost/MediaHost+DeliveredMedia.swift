import HostInterface
import MediaReading

/// Files and URLs for devices that take samples only: a program of the host reads them, and the host delivers the samples.
extension MediaHost {
    /// Has a medium read and delivered in a session that is starting.
    ///
    /// - Parameter latency: The latency to ask the extension for, in seconds.
    func deliver(_ url: String, latency: Double?, in session: HostSession, _ route: Route) async throws {
        publishDelivered(session)
        try await deliver(url, from: session.media.startPosition, isPlaying: true, latency: latency, in: session, route)
        await keepRecord(session.id)
    }

    /// Continues, in a session that an earlier daemon began, at the place where it would be by now.
    ///
    /// - Throws: ``PlaybackIsOver``, and the errors of a start.
    func deliverAgain(_ record: AdoptableSession, at place: DeliveredPlace, _ route: Route) async throws {
        guard let session = sessions[record.id] else { throw PlaybackIsOver() }
        try await deliver(
            record.url, from: try place.resumption(at: MonotonicTime.now), isPlaying: place.isPlaying,
            latency: place.latency, in: session, route)
    }

    private func deliver(
        _ url: String, from position: Double?, isPlaying: Bool, latency: Double?, in session: HostSession,
        _ route: Route
    ) async throws {
        guard let readers else { throw HostError(.notSupported, "Media can't be decoded here.") }
        let id = session.id
        let name = spokenName(session.deviceID)
        let request = readerRequest(url, of: session.source, session.media)
        let identifier = route.extensionIdentifier
        let source = MediaReaderSource { number in
            let socket = ReaderSocket(received: number)
            Task { await readers.start(request, on: socket, for: identifier) }
        }
        let delivery = try samples.begin(DeliveredMedia(source, startPosition: position, latency: latency))
        deliveredPlaybacks.updateValue(
            DeliveredPlayback(delivery, session.media, requestedLatency: latency), forKey: id)?.delivery.end()
        if !isPlaying { delivery.setPlaying(false) }
        try await starts.outcome(
            id, within: timing.sessionStart, clock: clock,
            late: HostError(.timedOut, "\(name) did not start playing in time: the media could not be opened.")
        ) {
            Task { [weak self] in
                for await event in delivery.events { await self?.deliveryReported(event, id) }
            }
        }
        // Another device of the group may lead by now.
        let leader = sessions[id]?.deviceID ?? route.deviceID
        guard let current = routes[leader], current.currentSession == id else {
            throw HostError(.cancelled, "The session was stopped.")
        }
        routes[leader]?.delivery = delivery
        try await connect(delivery, to: current, id)
    }

    private func deliveryReported(_ event: MediaDeliveryEvent, _ id: String) async {
        switch event {
        case .opened(let facts, let position):
            deliveredPlaybacks[id]?.opened(facts, position)
            keepPlace(of: id)
            starts.fulfil(id, with: ())
        case .position(let position):
            deliveredPlaybacks[id]?.position = position
            keepPlace(of: id)
            guard let playback = deliveredPlaybacks[id], var session = sessions[id], session.state != .starting else {
                return
            }
            session.playback = playback.state
            sessions[id] = session
            publish(session)
        case .over(let result):
            if case .failure(let error) = result, starts.fail(id, with: error) { return }
            await samplesEnded(id, result)
        }
    }

    /// Stores where a medium is that the host delivers, unless that follows from the last place.
    func keepPlace(of id: String) {
        guard let place = deliveredPlaybacks[id]?.place, adoptable[id]?.delivered?.foretells(place) != true else {
            return
        }
        changeRecord(id) { $0.delivered = place }
    }
}
