import MediaDevice

/// Passes the frames of a reader to one player after the other. Each begins with a key frame.
@MainActor
final class VideoRelay {
    nonisolated let reader: MediaVideoReader
    private var reading: Task<Void, Never>?
    private var frames: MediaVideoReader.AsyncIterator?
    /// The number of the player that gets the frames.
    private var taker = 0
    private var waiter: CheckedContinuation<MediaVideoFrame?, Never>?
    private var needsKeyFrame = true
    private var isAtEnd = false

    init(_ reader: MediaVideoReader) { self.reader = reader }

    /// Returns the frames for a player; those of the player before it end.
    func video(in session: MediaOutputSession) -> PlayableVideo {
        interrupt()
        if taker > 1 { reader.requestKeyFrame() }
        needsKeyFrame = true
        return PlayableVideo(self, taker: taker, session)
    }

    /// Ends the frames of the current player.
    func interrupt() {
        taker += 1
        resume(nil)
    }

    /// Ends the frames for all players.
    func close() {
        interrupt()
        isAtEnd = true
        reading?.cancel()
    }

    func next(for taker: Int) async -> MediaVideoFrame? {
        guard taker == self.taker, waiter == nil, !isAtEnd, !Task.isCancelled else { return nil }
        if reading == nil { reading = Task { await read() } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter = $0 }
        } onCancel: {
            Task { await self.cancel(taker) }
        }
    }

    private func cancel(_ taker: Int) { if taker == self.taker { resume(nil) } }

    /// Reads until somebody has got a frame: the source counts a frame as taken when it is read.
    private func read() async {
        var frames = self.frames ?? reader.makeAsyncIterator()
        repeat {
            guard let frame = await frames.next() else {
                isAtEnd = true
                resume(nil)
                break
            }
            // Without a waiter, the player was lost, and the next one begins with a key frame.
            guard waiter != nil else {
                needsKeyFrame = true
                continue
            }
            if needsKeyFrame, !frame.isKeyFrame { continue }
            needsKeyFrame = false
            resume(frame)
        } while waiter != nil
        self.frames = frames
        reading = nil
    }

    private func resume(_ frame: MediaVideoFrame?) {
        waiter?.resume(returning: frame)
        waiter = nil
    }
}
