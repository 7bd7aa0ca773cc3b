import DLNAProtocol
import Foundation
import PlaybackKit

extension RendererPlayer {
    /// Offers media to the device and plays it.
    ///
    /// - Throws: ``DeviceFailure``, ``UnreachableMedia``, `MediaDeviceError` or `CancellationError`.
    func begin(_ media: PlayableMedia, as run: PlaybackRun) async throws {
        guard ["http", "https"].contains(media.url.scheme?.lowercased()) else {
            throw MediaDeviceError(
                .sessionFailed, detail: .notSupported,
                reason: "DLNA devices play http addresses, not \(media.url.scheme ?? "this one").")
        }
        let facts = try await MediaFacts.reading(
            media.url, declared: media.contentType, transport: network.transport)
        if let mimeType = facts.mimeType, details.formats.answer(for: mimeType) == .unlisted {
            throw MediaDeviceError.unsupported(mimeType, by: details.description.friendlyName, details.formats)
        }
        try Task.checkCancellation()
        let new = RendererPlayback(media, facts, as: run, now: now)
        // Some keep up a failed or running playback when they only get a new address.
        let before = try await client.transportInfo().state
        if ![.stopped, .noMediaPresent].contains(before) { try? await client.stop() }
        replacePlayback(new)
        try await offer(new.offer)
        try Task.checkCancellation()
        playback?.tracker.playRequested(at: now)
        try await client.playWhenReady(by: network.time)
        try Task.checkCancellation()
        playback?.tracker.playAccepted(at: now)
        reportFromNowOn()
    }

    private func offer(_ media: MediaOffer) async throws(DeviceFailure) {
        do {
            try await client.setURI(media.uri, metadata: media.metadata)
        } catch {
            guard case .fault(let fault) = error else { throw error }
            switch fault.code {
            case 701, 705:
                // Some take a new address only when stopped.
                try? await client.stop()
                try await client.setURI(media.uri, metadata: media.metadata)
            case 402, 501, 600, 605:
                // Some choke on any description.
                try await client.setURI(media.uri, metadata: "")
            default: throw error
            }
        }
    }

    /// Returns the media that the device has loaded.
    ///
    /// - Parameter startedAt: The time at which the device accepted to play. It may report `stopped` for a while. The
    ///   time is in the future after a restart of this computer, which resets the clock.
    /// - Throws: ``DeviceFailure`` or `CancellationError`.
    func loadedMedia(startedAt: Double) async throws -> LoadedMedia {
        var loaded = try await client.loadedMedia()
        while loaded.isStopped, (0..<PlaybackTracker.startPatience).contains(now - startedAt) {
            try await network.time.sleep(RendererClient.playPause)
            loaded = try await client.loadedMedia()
        }
        return loaded
    }
}
