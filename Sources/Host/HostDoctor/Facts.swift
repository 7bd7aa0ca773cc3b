import HostInterface

/// What was found on this machine and its networks, without a judgement: ``Diagnosis`` makes that.
package struct Facts: Sendable, Hashable, Codable {
    package var daemon = DaemonFacts()
    package var extensions: [ExtensionFacts] = []
    /// Those that are up, without loopback, by name.
    package var interfaces: [InterfaceFacts] = []
    package var mdns = MulticastDNSFacts()
    package var ssdp = SSDPFacts()
    package var firewall = FirewallFacts()
    package var bluetooth = BluetoothFacts()
    package var folders: [FolderFacts] = []
    /// The device a person asks about; `nil` where it is about all.
    package var device: DeviceFacts?
    /// Whether `DBUS_SESSION_BUS_ADDRESS` names a bus or the user's own is there.
    package var hasSessionBus = false

    package init() {}
}

package struct DaemonFacts: Sendable, Hashable, Codable {
    package var version: String?
    package var processID: Int?
    /// What the daemon itself says is in the way.
    package var problems: [HostError] = []
    /// Why it could not be started or asked.
    package var failure: HostError?
    package var devices = 0
    package var unreachableDevices = 0
    /// The newest pushes of servers that were accepted and could not be applied.
    package var pushFailures: [PushFailure] = []

    package init() {}
}

package struct ExtensionFacts: Sendable, Hashable, Codable {
    package var name: String
    /// A word of `org.mdhost.Extension1`; empty where no daemon could be asked.
    package var state: String
    package var lastError: String?
    package var path: String
    /// Devices it reported; `nil` for one that represents remote sessions.
    package var devices: Int?

    package init(name: String, state: String, lastError: String? = nil, path: String, devices: Int? = 0) {
        self.name = name
        self.state = state
        self.lastError = lastError
        self.path = path
        self.devices = devices
    }
}

/// One device, and whether anything answers where it is said to be.
package struct DeviceFacts: Sendable, Hashable, Codable {
    package struct Place: Sendable, Hashable, Codable {
        package enum Answer: String, Sendable, Hashable, Codable { case answered, refused, silent, impossible }

        package var address: String
        package var port: Int
        package var answer: Answer
        /// Whether the address is of a network that this machine is on.
        package var isNear: Bool

        package init(address: String, port: Int, answer: Answer, isNear: Bool) {
            self.address = address
            self.port = port
            self.answer = answer
            self.isNear = isNear
        }
    }

    /// As the person wrote it, or the device's own name where that is known.
    package var name: String
    /// Why no device is meant by it.
    package var failure: HostError?
    package var isAvailable = false
    package var protocolName = ""
    /// Name of its extension.
    package var `extension` = ""
    /// A word of `org.mdhost.Extension1`; empty where it is not installed.
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
    /// One of Avahi's caches, of which there is one an interface and family.
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

    /// Why Avahi cannot be asked, in its own words; `nil` where it answers.
    package var avahiFailure: String?
    /// Settings of `avahi-daemon.conf` that limit what it sees: `allow-interfaces=eth0`.
    package var avahiLimits: [String] = []
    /// Those without room for further services.
    package var fullCaches: [FullCache] = []
    /// Programs other than avahi-daemon that listen on UDP port 5353; empty names are other users' programs.
    package var otherStacks: [String] = []
    /// Service types that were asked for.
    package var types: [String] = []
    /// By interface: how many services other machines announce there.
    package var answers: [String: Int] = [:]

    package init() {}
}

package struct SSDPFacts: Sendable, Hashable, Codable {
    /// Search targets that were asked for.
    package var targets: [String] = []
    /// By interface: how many devices answered.
    package var answers: [String: Int] = [:]
    /// What does not work (`listen to ff02::c on eth0`), and why.
    package var failures: [String: String] = [:]

    package init() {}
}

package struct FirewallFacts: Sendable, Hashable, Codable {
    /// One way a group's packets were tried: they come back to whoever listens on the same interface.
    package struct Trial: Sendable, Hashable, Codable {
        package var interface: String
        /// `mdns` or `ssdp`.
        package var `protocol`: String
        /// `nil` where it could not be tried; the reason is in ``failure``.
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
    /// Why it cannot be used; `nil` where it can.
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
