import Dispatch
import Reachability
import SSDP

/// What happens to this machine and may have changed everything around it.
final class MachineWatch {
    var suspension = SuspensionDetector()
    private let monitor: InterfaceMonitor?
    private var links: [String: NetworkInterface]

    /// - Parameter linksMayHaveChanged: Called on a queue of its own whenever the kernel tells of a link or an address.
    init(linksMayHaveChanged: @escaping @Sendable () -> Void) {
        // Without the monitor the regular tries still find out, only later.
        monitor = try? InterfaceMonitor(queue: DispatchQueue(label: "mdhost.links"))
        links = (try? NetworkInterface.current(.multicast)) ?? [:]
        monitor?.start(linksMayHaveChanged)
    }

    deinit {
        monitor?.stop()
    }

    /// Whether interfaces or addresses differ from the last look; routers have addresses confirmed every few seconds.
    func hasOtherLinks() -> Bool {
        let current = (try? NetworkInterface.current(.multicast)) ?? [:]
        defer { links = current }
        return current != links
    }
}
