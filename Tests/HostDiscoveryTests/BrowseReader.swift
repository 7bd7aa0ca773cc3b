import HostInterface

/// The events of a browse one by one, and in how many batches they came.
struct BrowseReader {
    private var batches: AsyncStream<[BrowseEvent]>.Iterator
    private var waiting: ArraySlice<BrowseEvent> = []
    private(set) var batchCount = 0

    init(_ stream: AsyncStream<[BrowseEvent]>) { batches = stream.makeAsyncIterator() }

    mutating func next() async -> BrowseEvent? {
        if waiting.isEmpty {
            guard let batch = await nextBatch() else { return nil }
            waiting = batch[...]
        }
        return waiting.popFirst()
    }

    mutating func nextBatch() async -> [BrowseEvent]? {
        guard let batch = await batches.next() else { return nil }
        batchCount += 1
        return batch
    }

    /// Reads until the browse is settled.
    mutating func settled() async -> [BrowseEvent] {
        var events: [BrowseEvent] = []
        while let event = await next() {
            if event.kind == .settled { break }
            events.append(event)
        }
        return events
    }
}
