import Foundation

/// What an extension's central manager asks the host for; devices and attributes are named by the host.
package struct CentralRequest: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable {
        /// There is a manager from now on, which is told the state of things.
        case open
        /// There is none any more; nothing follows.
        case close
        /// Looks for devices; a second one takes the place of the first.
        case scan
        case stopScan
        case connect
        case disconnect
        case read
        case write
        /// Without an answer of the device.
        case command
        case follow
        case unfollow
        case readSignal
    }

    package var kind: Kind
    /// The answer has it, too; 0 for what has none.
    package var number: Int
    /// A UUID; empty for what is not about one.
    package var device: String
    /// Of a characteristic or a descriptor; empty for what is not about one.
    package var attribute: String
    /// Services a device has to announce to be told; empty: any.
    package var services: [String]
    package var allowsDuplicates: Bool
    package var value: Data

    package init(
        _ kind: Kind, number: Int = 0, device: String = "", attribute: String = "", services: [String] = [],
        allowsDuplicates: Bool = false, value: Data = Data()
    ) {
        self.kind = kind
        self.number = number
        self.device = device
        self.attribute = attribute
        self.services = services
        self.allowsDuplicates = allowsDuplicates
        self.value = value
    }
}

/// What the host tells a central manager.
package struct CentralEvent: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable {
        /// ``state`` is another; the first one comes by itself.
        case state
        /// A device was heard: ``advertisement``.
        case heard
        /// A device is connected: ``services`` are all that it has.
        case connected
        /// A connected device has other services: ``services`` are all that it has now.
        case modified
        /// A device that was connected is not any more, or one could not be: ``failure`` says why.
        case disconnected
        /// The answer to a request: ``value``, or ``failure``.
        case answer
        /// A value that is followed is another.
        case changed
    }

    package enum State: String, Codable, Sendable {
        case unknown, resetting, unsupported, unauthorized
        case poweredOff = "off"
        case poweredOn = "on"
    }

    package var kind: Kind
    package var state: State?
    /// Of the request that this answers.
    package var number: Int?
    package var device: String?
    package var attribute: String?
    package var advertisement: BluetoothAdvertisement?
    package var services: [BluetoothServiceRecord]?
    package var value: Data?
    /// In dBm.
    package var signal: Int?
    package var failure: BluetoothFailure?

    package init(_ kind: Kind) { self.kind = kind }
}

package struct BluetoothAdvertisement: Codable, Sendable, Hashable {
    package var name: String?
    /// In dBm; `nil` where it was not measured.
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
    /// Attributes of the services that it includes.
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
    /// Bits of the Core Specification, 3.G, 3.3.1.1, and from 0x100 on Apple's.
    package var properties: Int
    /// The link's MTU in bytes; `nil` where bluetoothd doesn't tell it.
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
        case failed
    }

    package var code: Code
    /// One sentence.
    package var message: String
    /// What the device answered (Core Specification, 3.F, 3.4.1.1).
    package var attributeError: Int?

    package init(_ code: Code, _ message: String, attributeError: Int? = nil) {
        self.code = code
        self.message = message
        self.attributeError = attributeError
    }
}
