package import DBus
package import Foundation

/// A request of an extension's central manager. The host assigns the names of devices and attributes.
package struct CentralRequest: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable {
        /// Opens a manager, which then receives the state.
        case open
        /// Closes a manager. Nothing follows.
        case close
        /// Scans for devices, in place of an earlier scan.
        case scan
        case stopScan
        case connect
        case disconnect
        case read
        case write
        /// Writes without a response.
        case command
        case follow
        case unfollow
        case readSignal
        /// Opens an L2CAP channel to ``psm``. The answer has it.
        case openChannel
        /// Closes the channel that the request with this number opened. Nothing follows.
        case closeChannel
    }

    package var kind: Kind
    /// The number of the request, which its answer repeats; 0 for none.
    package var number: Int
    /// The UUID of the device; empty for none.
    package var device: String
    /// The name of the characteristic or descriptor; empty for none.
    package var attribute: String
    /// The services that a device must advertise to be reported; empty for any.
    package var services: [String]
    package var allowsDuplicates: Bool
    package var value: Data
    /// The number of a service for an L2CAP channel.
    package var psm: UInt16?

    package init(
        _ kind: Kind, number: Int = 0, device: String = "", attribute: String = "", services: [String] = [],
        allowsDuplicates: Bool = false, value: Data = Data(), psm: UInt16? = nil
    ) {
        self.kind = kind
        self.number = number
        self.device = device
        self.attribute = attribute
        self.services = services
        self.allowsDuplicates = allowsDuplicates
        self.value = value
        self.psm = psm
    }
}

/// An event for a central manager.
package struct CentralEvent: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable {
        /// The ``state`` changed. The first one is reported by itself.
        case state
        /// A device advertised; see ``advertisement``.
        case heard
        /// A device is connected and has these ``services``.
        case connected
        /// A connected device has changed its services; ``services`` are all of them.
        case modified
        /// A device disconnected, or couldn't be connected; ``failure`` has the reason.
        case disconnected
        /// The answer to a request: ``value``, or ``failure``.
        case answer
        /// A followed value changed.
        case changed
    }

    package enum State: String, Codable, Sendable {
        case unknown, resetting, unsupported, unauthorized
        case poweredOff = "off"
        case poweredOn = "on"
    }

    package var kind: Kind
    package var state: State?
    /// The number of the answered request.
    package var number: Int?
    package var device: String?
    package var attribute: String?
    package var advertisement: BluetoothAdvertisement?
    package var services: [BluetoothServiceRecord]?
    package var value: Data?
    /// The signal strength in dBm.
    package var signal: Int?
    package var failure: BluetoothFailure?
    /// The socket of an opened L2CAP channel. It doesn't block.
    package var channel: DBusDescriptor?
    /// The most bytes that the device takes from ``channel`` at once.
    package var longestPacket: Int?

    package init(_ kind: Kind) { self.kind = kind }
}

package struct BluetoothAdvertisement: Codable, Sendable, Hashable {
    package var name: String?
    /// The signal strength in dBm; `nil` if it wasn't measured.
    package var signal: Int?
    package var transmitPower: Int?
    package var services: [String]
    package var manufacturerData: Data?
    package var serviceData: [String: Data]

    package init(
        name: String? = nil, signal: Int? = nil, transmitPower: Int? = nil, services: [String] = [],
        manufacturerData: Data? = nil, serviceData: [String: Data] = [:]
    ) {
        self.name = name
        self.signal = signal
        self.transmitPower = transmitPower
        self.services = services
        self.manufacturerData = manufacturerData
        self.serviceData = serviceData
    }
}

package struct BluetoothServiceRecord: Codable, Sendable, Hashable {
    package var attribute: String
    package var uuid: String
    package var isPrimary: Bool
    /// The names of the included services.
    package var includes: [String]
    package var characteristics: [BluetoothCharacteristicRecord]

    package init(
        attribute: String = "", uuid: String, isPrimary: Bool = true, includes: [String] = [],
        characteristics: [BluetoothCharacteristicRecord] = []
    ) {
        self.attribute = attribute
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.includes = includes
        self.characteristics = characteristics
    }
}

package struct BluetoothCharacteristicRecord: Codable, Sendable, Hashable {
    package var attribute: String
    package var uuid: String
    /// The bits of the Core Specification, 3.G, 3.3.1.1, and Apple's from 0x100 on.
    package var properties: Int
    /// The MTU of the connection in bytes; `nil` if bluetoothd doesn't report it.
    package var maximumTransmission: Int?
    package var descriptors: [BluetoothDescriptorRecord]

    package init(
        attribute: String, uuid: String, properties: Int, maximumTransmission: Int? = nil,
        descriptors: [BluetoothDescriptorRecord] = []
    ) {
        self.attribute = attribute
        self.uuid = uuid
        self.properties = properties
        self.maximumTransmission = maximumTransmission
        self.descriptors = descriptors
    }
}

package struct BluetoothDescriptorRecord: Codable, Sendable, Hashable {
    package var attribute: String
    package var uuid: String

    package init(attribute: String, uuid: String) {
        self.attribute = attribute
        self.uuid = uuid
    }
}

package struct BluetoothFailure: Codable, Sendable, Hashable {
    package enum Code: String, Codable, Sendable {
        case notConnected = "not-connected"
        case unknownDevice = "unknown-device"
        case unreachable
        case timedOut = "timed-out"
        case notSupported = "not-supported"
        case cancelled
        /// The device refused a channel.
        case refused
        case tooMany = "too-many"
        case failed
    }

    package var code: Code
    /// The reason as one sentence.
    package var message: String
    /// The device's error code (Core Specification, 3.F, 3.4.1.1).
    package var attributeError: Int?

    package init(_ code: Code, _ message: String, attributeError: Int? = nil) {
        self.code = code
        self.message = message
        self.attributeError = attributeError
    }
}
