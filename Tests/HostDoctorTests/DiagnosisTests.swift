import HostInterface
import KernelBluetooth
import Testing

@testable import HostDoctor

@Suite struct DiagnosisTests {
    /// A machine on which all is well.
    private static var healthy: Facts {
        var facts = Facts()
        facts.daemon.version = "1.0"
        facts.daemon.processID = 7
        facts.extensions = [ExtensionFacts(name: "DLNA", state: "running", path: "/x", devices: 2)]
        facts.interfaces = [
            InterfaceFacts(name: "eth0", addresses: ["10.0.0.5/24", "fe80::1/64"], hasDefaultRoute: true)
        ]
        facts.mdns.types = ["_mpd._tcp"]
        facts.mdns.answers = ["eth0": 2]
        facts.ssdp.answers = ["eth0": 1]
        facts.firewall.trials = [
            .init(interface: "eth0", protocol: "mdns", heard: true),
            .init(interface: "eth0", protocol: "ssdp", heard: true),
        ]
        facts.folders = [FolderFacts(purpose: "state", path: "/s", free: 1 << 40)]
        facts.hasSessionBus = true
        facts.bluetooth.controllers = [.init(name: "hci0")]
        facts.bluetooth.isServiceRunning = true
        return facts
    }

    private func codes(_ change: (inout Facts) -> Void) -> [String] {
        var facts = Self.healthy
        change(&facts)
        return Diagnosis.findings(facts).filter { $0.severity > .fine }.map(\.code)
    }

    @Test func nothingIsWrongWithAHealthyMachine() {
        let findings = Diagnosis.findings(Self.healthy)
        #expect(findings.allSatisfy { $0.severity == .fine && $0.remedy == nil })
        #expect(Set(findings.map(\.area)).count == 8)
    }

    @Test func theDaemonAndItsFolders() {
        #expect(codes { $0.daemon.failure = HostError(.hostUnavailable, "No.") } == ["host-unavailable"])
        #expect(codes { $0.daemon.problems = [HostError(.storageFailed, "Full.")] } == ["storage-failed"])
        #expect(codes { $0.daemon.problems = [HostError(.discoveryFailed, "No Avahi.")] }.isEmpty)
        #expect(codes { $0.daemon.problems = [HostError(.discoveryLimited, "Avahi is full.")] }.isEmpty)
        #expect(codes { $0.hasSessionBus = false } == ["no-session-bus"])
        #expect(codes { $0.daemon.unreachableDevices = 1 } == ["device-unreachable"])
        #expect(codes { $0.folders[0].failure = "belongs to another user" } == ["folder-unusable"])
        #expect(codes { $0.folders[0].free = 1000 } == ["disk-full"])
    }

    @Test(arguments: ["crashed", "quarantined", "load-failed", "invalid-manifest"])
    func extensionsThatCannotWork(state: String) {
        #expect(codes { $0.extensions[0].state = state } == ["extension-" + state])
    }

    @Test func otherStatesOfExtensions() {
        #expect(codes { $0.extensions[0].state = "idle" }.isEmpty)
        #expect(codes { $0.extensions[0].state = "disabled" } == ["extension-disabled"])
        #expect(codes { $0.extensions = [] } == ["no-extension"])
    }

    @Test func networks() {
        #expect(codes { $0.interfaces = [] } == ["no-network"])
        #expect(codes { $0.interfaces[0].addresses = ["fd00::1/64"] } == ["ipv6-only"])
        let tunnel = InterfaceFacts(name: "wg0", kind: .tunnel, addresses: ["10.9.0.2/32"], hasDefaultRoute: true)
        #expect(codes { $0.interfaces.append(tunnel) } == ["tunnel"])
    }

    @Test func whatKeepsAnswersAway() {
        #expect(codes { $0.mdns.avahiFailure = "Daemon not running" } == ["no-avahi"])
        #expect(codes { $0.mdns.avahiLimits = ["use-ipv4=no"] } == ["avahi-limited"])
        let full = MulticastDNSFacts.FullCache(interface: "eth0", isIPv6: false, capacity: 4096)
        #expect(codes { $0.mdns.fullCaches = [full] } == ["avahi-cache-full"])
        #expect(codes { $0.mdns.otherStacks = ["", "chrome"] } == ["two-mdns-stacks"])
        #expect(codes { $0.ssdp.failures = ["send to x": "denied"] } == ["ssdp-failed"])
        #expect(codes { $0.firewall.trials[1].heard = false } == ["ssdp-blocked"])
        #expect(codes { $0.firewall.trials[0].heard = nil } == ["untried"])
        #expect(codes { $0.firewall.active = ["ufw"] } == ["file-ports"])
        #expect(
            codes {
                $0.firewall.active = ["ufw"]
                $0.firewall.filePorts = "8200"
            }.isEmpty)
    }

    @Test func whatKeepsBluetoothFromWorking() {
        #expect(codes { $0.bluetooth.controllers = [] } == ["no-bluetooth-controller"])
        #expect(codes { $0.bluetooth.failure = "Permission denied" } == ["bluetooth-unknown"])
        #expect(codes { $0.bluetooth.controllers[0].isUp = false } == ["bluetooth-off"])
        #expect(codes { $0.bluetooth.isServiceRunning = false } == ["no-bluetoothd"])
        #expect(codes { $0.bluetooth.isServiceRunning = nil } == ["no-system-bus"])
        let blocked = BluetoothFacts.Controller(name: "hci1", isUp: false, block: .software)
        #expect(codes { $0.bluetooth.controllers.append(blocked) } == ["bluetooth-blocked"])
        #expect(
            codes {
                $0.bluetooth.controllers = [.init(name: "hci0", isUp: false, block: .hardware)]
                $0.bluetooth.isServiceRunning = false
            } == ["bluetooth-switched-off", "no-bluetoothd"])
    }

    @Test func aMachineWithoutBluetoothIsNoneToMend() {
        var facts = Self.healthy
        facts.bluetooth = BluetoothFacts()
        #expect(Diagnosis.findings(facts).allSatisfy { $0.severity <= .note })
    }

    @Test func silenceIsOnlyAFindingOfItsOwnWhereNothingElseExplainsIt() {
        func silent(_ facts: inout Facts) {
            facts.mdns.answers = [:]
            facts.ssdp.answers = [:]
        }
        #expect(codes { silent(&$0) } == ["silence"])
        #expect(
            codes {
                silent(&$0)
                $0.mdns.avahiFailure = "no"
            } == ["no-avahi"])
        #expect(
            codes {
                silent(&$0)
                $0.firewall.trials[0].heard = false
            } == ["mdns-blocked"])
        #expect(
            codes {
                silent(&$0)
                $0.interfaces[0].kind = .bridge
            }.isEmpty)
    }

    @Test func whateverIsInTheWayHasARemedy() {
        var facts = Self.healthy
        facts.daemon.failure = HostError(.internalFailure, "Odd.")
        facts.interfaces[0].addresses = ["fd00::1/64"]
        facts.extensions[0].state = "quarantined"
        facts.firewall.trials[0].heard = false
        facts.mdns.avahiLimits = ["deny-interfaces=eth0"]
        let grave = Diagnosis.findings(facts).filter { $0.severity >= .warning }
        #expect(grave.count == 5)
        #expect(grave.allSatisfy { $0.remedy?.isEmpty == false })
    }
}
