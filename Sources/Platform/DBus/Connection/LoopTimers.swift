/// Something a loop does once at a time. On the loop.
final class LoopTimer {
    /// `CLOCK_MONOTONIC` in microseconds.
    let deadline: UInt64
    let handler: () -> Void
    var isOver = false

    init(_ deadline: UInt64, _ handler: @escaping () -> Void) {
        self.deadline = deadline
        self.handler = handler
    }

    func cancel() { isOver = true }
}

/// The timers of a loop, the next one first: a binary heap, as each of thousands of connections has one.
///
/// A cancelled timer stays until it is the first, or until half of all are cancelled.
struct LoopTimers {
    private var heap: [LoopTimer] = []
    /// The size from which on cancelled timers are taken out.
    private var sweepSize = 64

    var count: Int { heap.count }

    /// The deadline of the first timer that was not cancelled.
    var next: UInt64? {
        mutating get {
            while let first = heap.first, first.isOver { _ = takeFirst() }
            return heap.first?.deadline
        }
    }

    mutating func insert(_ timer: LoopTimer) {
        if heap.count >= sweepSize { sweep() }
        heap.append(timer)
        rise(from: heap.count - 1)
    }

    /// Takes out those whose time has come, in order.
    mutating func takeDue(_ now: UInt64) -> [LoopTimer] {
        var due: [LoopTimer] = []
        while let first = heap.first, first.isOver || first.deadline <= now {
            let timer = takeFirst()
            if !timer.isOver { due.append(timer) }
        }
        return due
    }

    private mutating func sweep() {
        heap.removeAll(where: \.isOver)
        // A sorted array is a heap.
        heap.sort { $0.deadline < $1.deadline }
        sweepSize = max(64, heap.count * 2)
    }

    private mutating func takeFirst() -> LoopTimer {
        heap.swapAt(0, heap.count - 1)
        let first = heap.removeLast()
        sink()
        return first
    }

    private mutating func rise(from index: Int) {
        var index = index
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].deadline < heap[parent].deadline else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func sink() {
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
                if heap[child].deadline < heap[least].deadline { least = child }
            }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
