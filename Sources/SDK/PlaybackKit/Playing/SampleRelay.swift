import MediaDevice

/// Passes the blocks of a reader to one player after the other. The block that a player had when it was lost goes to the
/// next one again.
@MainActor
final class SampleRelay {
    private let reader: MediaSampleReader
    private var reading: Task<Void, Never>?
    /// The number of the player that gets the blocks.
    private var taker = 0
    private var waiter: CheckedContinuation<MediaSampleBlock?, Never>?
    /// The block that was read last, until the one after it is requested.
    private var block: MediaSampleBlock?
    private var isTaken = false
    private var isAtEnd = false
    private var isClosed = false
    private var following: CMTime?
    /// A Boolean value that indicates whether all frames came, one after the other.
    private(set) var isComplete = true

    init(_ reader: MediaSampleReader) { self.reader = reader }

    /// Returns the samples for a player; those of the player before it end.
    func samples(in session: MediaOutputSession) -> PlayableSamples {
        interrupt()
        return PlayableSamples(self, taker: taker, reader, session)
    }

    func isPassing(_ samples: PlayableSamples) -> Bool { samples.taker == taker && !isClosed }

    /// Ends the samples of the current player.
    func interrupt() {
        taker += 1
        isTaken = false
        resume(nil)
    }

    /// Ends the samples for all players.
    func close() {
        interrupt()
        isClosed = true
        block = nil
        reading?.cancel()
    }

    func next(for taker: Int) async -> MediaSampleBlock? {
        guard taker == self.taker, waiter == nil, !isClosed, !Task.isCancelled else { return nil }
        if isTaken { block = nil }
        isTaken = false
        if let block {
            isTaken = true
            return block
        }
        guard !isAtEnd else { return nil }
        if reading == nil { reading = Task { await read() } }
        return await withCheckedContinuation { waiter = $0 }
    }

    /// Ends a wait for the next block.
    func cancel(_ taker: Int) { if taker == self.taker { resume(nil) } }

    private func read() async {
        var blocks = reader.makeAsyncIterator()
        let new = await blocks.next()
        reading = nil
        guard !isClosed else { return }
        isAtEnd = new == nil
        block = new
        if let new {
            if let following, following != new.presentationTime { isComplete = false }
            following =
                new.presentationTime
                + CMTime(value: CMTimeValue(new.frameCount), timescale: CMTimeScale(reader.format.sampleRate))
        }
        isTaken = waiter != nil
        resume(new)
    }

    private func resume(_ block: MediaSampleBlock?) {
        waiter?.resume(returning: block)
        waiter = nil
    }
}
