/// The active scans, and the next step for each adapter so that it serves all of them, or stops if there are none.
struct ScanPlan {
    enum Step: Hashable {
        case setFilter(BlueZIdentifier, BlueZScanFilter)
        case start(BlueZIdentifier)
        case stop(BlueZIdentifier)

        var adapter: BlueZIdentifier {
            switch self {
            case .setFilter(let adapter, _), .start(let adapter), .stop(let adapter): adapter
            }
        }
    }

    /// The settings an adapter has received so far.
    private struct Told {
        var filter: BlueZScanFilter?
        var isStarted = false
        /// The adapter refused the last step; it gets no further steps until something changes.
        var hasRefused = false
    }

    private var wishes: [Int: BlueZScanFilter] = [:]
    private var told: [BlueZIdentifier: Told] = [:]

    /// The combined filter of all scans; `nil` without scans.
    var filter: BlueZScanFilter? { BlueZScanFilter.merged(wishes.values) }

    mutating func add(_ number: Int, _ filter: BlueZScanFilter) {
        wishes[number] = filter
        forgetRefusals()
    }

    mutating func remove(_ number: Int) {
        wishes[number] = nil
        forgetRefusals()
    }

    /// A restarted bluetoothd has received no settings yet.
    mutating func restart() { told = [:] }

    mutating func forgetRefusals() {
        for adapter in told.keys { told[adapter]?.hasRefused = false }
    }

    /// Returns the next step for the powered adapters, in any order; an adapter that was off has lost its scan.
    mutating func next(_ adapters: [BlueZIdentifier]) -> Step? {
        for gone in Set(told.keys).subtracting(adapters) { told[gone] = nil }
        let wanted = filter
        for adapter in adapters {
            let known = told[adapter] ?? Told()
            if known.hasRefused { continue }
            guard let wanted else {
                if known.isStarted { return .stop(adapter) }
                continue
            }
            // The filter first, as a scan that runs takes another one only with a pause.
            if known.filter != wanted { return .setFilter(adapter, wanted) }
            if !known.isStarted { return .start(adapter) }
        }
        return nil
    }

    mutating func finish(_ step: Step, succeeded: Bool) {
        var known = told[step.adapter] ?? Told()
        switch step {
        case _ where !succeeded && step != .stop(step.adapter): known.hasRefused = true
        case .setFilter(_, let filter): known.filter = filter
        case .start: known.isStarted = true
        // An adapter that refuses to stop isn't scanning.
        case .stop: known = Told()
        }
        told[step.adapter] = known
    }

    var hasRefusals: Bool { told.values.contains { $0.hasRefused } }
}
