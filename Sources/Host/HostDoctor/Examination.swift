import Avahi
import Foundation
import HostClient
import HostInterface

/// Examines everything on this machine that discovery and playback depend on.
package struct Examination {
    /// The Bonjour types that extensions browse, for example `_mpd._tcp`.
    package var bonjourTypes: Set<String> = []
    /// The SSDP targets that extensions search, for example `urn:schemas-upnp-org:device:MediaRenderer:1`.
    package var searchTargets: Set<String> = []

    package init() {}

    /// Returns all facts but those from the daemon (``Facts/daemon``, ``Facts/extensions``). This takes about three
    /// seconds.
    package func facts(environment: [String: String]) async -> Facts {
        var facts = Facts()
        facts.interfaces = InterfaceReading.current()
        let settings = AvahiSettings(TextFile.read(AvahiSettings.path))
        let discovery = DiscoveryTrial(
            bonjourTypes: bonjourTypes.sorted(),
            searchTargets: searchTargets.union(["upnp:rootdevice"]).sorted(),
            ownAddresses: InterfaceReading.ownAddresses(facts.interfaces), cacheEntries: settings.cacheEntries)
        async let mdns = discovery.mdns()
        async let ssdp = discovery.ssdp()
        async let bluetooth = BluetoothReading.current()
        facts.firewall = await firewall(facts.interfaces, environment)
        facts.folders = [
            FolderReading.read({ () throws(HostError) in try HostFolders.runtime(environment) }, for: "socket"),
            FolderReading.read({ () throws(HostError) in try HostFolders.state(environment) }, for: "state"),
        ]
        facts.hasSessionBus =
            environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false
            || environment["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } == true
        facts.mdns = await mdns
        facts.mdns.avahiLimits = settings.limits
        facts.mdns.otherStacks = PortOwners.otherMulticastDNSStacks()
        facts.ssdp = await ssdp
        facts.bluetooth = await bluetooth
        return facts
    }

    private func firewall(_ interfaces: [InterfaceFacts], _ environment: [String: String]) async -> FirewallFacts {
        var facts = FirewallFacts()
        facts.active = FirewallReading.active()
        facts.filePorts = environment["MDHOST_FILE_PORTS"]
        let tried = interfaces.filter { $0.canMulticast && $0.hasIPv4 && $0.kind != .tunnel }.map(\.name)
        // Each waits in poll(2): on threads of their own, not on those of the concurrency pool.
        facts.trials = await withTaskGroup(of: FirewallFacts.Trial.self) { group in
            for name in tried {
                for kind in MulticastTrial.Group.allCases {
                    group.addTask {
                        await withCheckedContinuation { continuation in
                            Thread.detachNewThread {
                                continuation.resume(returning: MulticastTrial.run(kind, on: name))
                            }
                        }
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }.sorted { ($0.interface, $0.protocol) < ($1.interface, $1.protocol) }
        return facts
    }
}
