import CEventFD
import Dispatch
import Synchronization

/// Memory that the program freed and the C library keeps for the next allocation, which may never come.
enum FreedMemory {
    /// Seconds after the end of the connections: what belongs to them is gone only when their tasks and timers are, which
    /// takes long on a busy machine.
    private static let delays = [2, 10, 30]

    private static let requests = Mutex(0)

    /// Returns freed memory to the system, soon and again later. A new request replaces the previous one.
    static func giveBack() {
        let request = requests.withLock { number in
            number += 1
            return number
        }
        for delay in delays {
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(delay)) {
                if requests.withLock({ $0 }) == request { _ = malloc_trim(0) }
            }
        }
    }
}
