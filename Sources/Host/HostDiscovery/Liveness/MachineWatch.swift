import Dispatch
import Reachability
import SSDP

/// Observes events of this machine that may affect every device: sleep and changes of its network links.
final class MachineWatch {
    var suspension = SuspensionDetector()
    private let monitor: InterfaceMonitor?
    private var links: [String: NetworkInterface]

    /// - Parameter linksMayHaveChanged: The closure called on a separate queue after each change of a link or address
    ///   that the kernel reports.
    init(linksMayHaveChanged: @escaping @Sendable () -> Void) {
        // Without the monitor the regular tries still find out, only later.
        monitor = try? InterfaceMonitor(queue: DispatchQueue(label: "mdhost.links"))
        links = (try? NetworkInterface.current(.multicast)) ?? [:]
        monitor?.start(linksMayHaveChanged)
    }

    deinit {
        monitor?.stop()
    }

    /// Returns a Boolean value that indicates whether interfaces or addresses changed since the last call. Kernel
    /// events alone don't prove this, because routers confirm addresses every few seconds.
    func hasOtherLinks() -> Bool {
        let current = (try? NetworkInterface.current(.multicast)) ?? [:]
        defer { links = current }
        return current != links
    }
}
