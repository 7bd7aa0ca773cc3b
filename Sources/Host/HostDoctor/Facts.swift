package import HostInterface

/// The facts found about this machine and its networks. ``Diagnosis`` evaluates them.
package struct Facts: Sendable, Hashable, Codable {
    package var daemon = DaemonFacts()
    package var extensions: [ExtensionFacts] = []
    /// The active interfaces without loopback, sorted by name.
    package var interfaces: [InterfaceFacts] = []
    package var mdns = MulticastDNSFacts()
    package var ssdp = SSDPFacts()
    package var firewall = FirewallFacts()
    package var bluetooth = BluetoothFacts()
    package var folders: [FolderFacts] = []
    /// The device in question; `nil` for all devices.
    package var device: DeviceFacts?
    /// A Boolean value that indicates whether `DBUS_SESSION_BUS_ADDRESS` names a bus or the user's default bus exists.
    package var hasSessionBus = false

    package init() {}
}

package struct DaemonFacts: Sendable, Hashable, Codable {
    package var version: String?
    package var processID: Int?
    /// The problems that the daemon reports.
    package var problems: [HostError] = []
    /// The reason that the daemon couldn't be started or queried.
    package var failure: HostError?
    package var devices = 0
    package var unreachableDevices = 0
    /// The newest pushes of servers that were accepted and could not be applied.
    package var pushFailures: [PushFailure] = []

    package init() {}
}

package struct ExtensionFacts: Sendable, Hashable, Codable {
    package var name: String
    /// The state, as in `org.mdhost.Extension1`; empty if no daemon could be queried.
    package var state: String
    package var lastError: String?
    package var path: String
    /// The number of reported devices; `nil` for a remote session extension.
    package var devices: Int?

    package init(name: String, state: String, lastError: String? = nil, path: String, devices: Int? = 0) {
        self.name = name
        self.state = state
        self.lastError = lastError
        self.path = path
        self.devices = devices
    }
}

/// A device, and whether anything answers at its addresses.
package struct DeviceFacts: Sendable, Hashable, Codable {
    package struct Place: Sendable, Hashable, Codable {
        package enum Answer: String, Sendable, Hashable, Codable { case answered, refused, silent, impossible }

        package var address: String
        package var port: Int
        package var answer: Answer
        /// A Boolean value that indicates whether the address belongs to a network of this machine.
        package var isNear: Bool

        package init(address: String, port: Int, answer: Answer, isNear: Bool) {
            self.address = address
            self.port = port
            self.answer = answer
            self.isNear = isNear
        }
    }

    /// The name as entered, or the device's own name if known.
    package var name: String
    /// The reason that no device matches the name.
    package var failure: HostError?
    package var isAvailable = false
    package var protocolName = ""
    /// Name of its extension.
    package var `extension` = ""
    /// The state, as in `org.mdhost.Extension1`; empty if the extension isn't installed.
    package var extensionState = ""
    package var lastError: HostError?
    package var places: [Place] = []

    package init(name: String) { self.name = name }
}

package struct InterfaceFacts: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable {
        case wired, wireless, bridge, tunnel
    }

    package var name: String
    package var kind: Kind
    package var canMulticast: Bool
    /// Numeric, with the length of the prefix: `10.0.0.5/24`, `fe80::1/64`.
    package var addresses: [String]
    package var hasDefaultRoute: Bool

    package init(
        name: String, kind: Kind = .wired, canMulticast: Bool = true, addresses: [String], hasDefaultRoute: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.canMulticast = canMulticast
        self.addresses = addresses
        self.hasDefaultRoute = hasDefaultRoute
    }

    package var hasIPv4: Bool { addresses.contains { !$0.contains(":") } }
    package var hasIPv6: Bool { addresses.contains { $0.contains(":") } }
}

package struct MulticastDNSFacts: Sendable, Hashable, Codable {
    /// One of Avahi's caches. There is one for each interface and address family.
    package struct FullCache: Sendable, Hashable, Codable {
        package var interface: String
        package var isIPv6: Bool
        /// Records it takes.
        package var capacity: Int

        package init(interface: String, isIPv6: Bool, capacity: Int) {
            self.interface = interface
            self.isIPv6 = isIPv6
            self.capacity = capacity
        }
    }

    /// The reason that Avahi can't be queried, as Avahi reports it; `nil` if it answers.
    package var avahiFailure: String?
    /// The settings of `avahi-daemon.conf` that limit discovery, for example `allow-interfaces=eth0`.
    package var avahiLimits: [String] = []
    /// The caches without room for more services.
    package var fullCaches: [FullCache] = []
    /// Programs other than avahi-daemon that listen on UDP port 5353; empty names are other users' programs.
    package var otherStacks: [String] = []
    /// The requested service types.
    package var types: [String] = []
    /// The number of services that other machines announce, by interface.
    package var answers: [String: Int] = [:]

    package init() {}
}

package struct SSDPFacts: Sendable, Hashable, Codable {
    /// The requested search targets.
    package var targets: [String] = []
    /// The number of devices that answered, by interface.
    package var answers: [String: Int] = [:]
    /// The reasons for failures, by operation, for example `listen to ff02::c on eth0`.
    package var failures: [String: String] = [:]

    package init() {}
}

package struct FirewallFacts: Sendable, Hashable, Codable {
    /// A test of whether packets to a multicast group arrive at members on the same interface.
    package struct Trial: Sendable, Hashable, Codable {
        package var interface: String
        /// `mdns` or `ssdp`.
        package var `protocol`: String
        /// A Boolean value that indicates whether the packets arrived; `nil` if the test failed with ``failure``.
        package var heard: Bool?
        package var failure: String?

        package init(interface: String, protocol: String, heard: Bool?, failure: String? = nil) {
            self.interface = interface
            self.protocol = `protocol`
            self.heard = heard
            self.failure = failure
        }
    }

    package var trials: [Trial] = []
    /// Firewalls that are switched on, as far as anyone may know: `ufw`, `firewalld`.
    package var active: [String] = []
    /// `MDHOST_FILE_PORTS`.
    package var filePorts: String?

    package init() {}
}

package struct FolderFacts: Sendable, Hashable, Codable {
    /// `socket`, `state`.
    package var purpose: String
    package var path: String
    /// The reason that the folder can't be used; `nil` if it can.
    package var failure: String?
    /// Bytes free for this user.
    package var free: Int?

    package init(purpose: String, path: String, failure: String? = nil, free: Int? = nil) {
        self.purpose = purpose
        self.path = path
        self.failure = failure
        self.free = free
    }
}
