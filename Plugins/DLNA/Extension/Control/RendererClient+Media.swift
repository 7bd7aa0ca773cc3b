import DLNAProtocol

/// The media that a renderer has loaded, and its playback.
struct LoadedMedia: Sendable, Hashable {
    /// Empty if nothing is loaded.
    var uri: String
    var info: TransportInfo
    var position: PositionInfo

    var isStopped: Bool { [.stopped, .noMediaPresent].contains(info.state) }
}

extension RendererClient {
    private static let playAttempts = 20
    static let playPause = Duration.milliseconds(500)

    func loadedMedia() async throws(DeviceFailure) -> LoadedMedia {
        LoadedMedia(uri: try await mediaURI(), info: try await transportInfo(), position: try await positionInfo())
    }

    /// Asks to play until the device is ready to: it may still be opening the media.
    ///
    /// - Throws: ``DeviceFailure``, or `CancellationError`.
    func playWhenReady(by time: MonotonicTime) async throws {
        var attempt = 1
        while let fault = try await refusalToPlay() {
            guard fault.isTransitionNotAvailable, attempt < Self.playAttempts else { throw DeviceFailure.fault(fault) }
            attempt += 1
            if let info = try? await transportInfo(), info.state == .playing { return }
            try await time.sleep(Self.playPause)
        }
    }

    private func refusalToPlay() async throws(DeviceFailure) -> UPnPFault? {
        do {
            try await play()
            return nil
        } catch {
            guard case .fault(let fault) = error else { throw error }
            return fault
        }
    }
}
