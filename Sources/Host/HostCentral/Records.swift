import BlueZ
import Foundation
import HostInterface

extension BluetoothAdvertisement {
    init(_ device: BluetoothDevice) {
        // Only one number is reported, as devices do; the lowest if there are several.
        let manufacturer = device.manufacturerData.min { $0.key < $1.key }.map { company, bytes in
            Data([UInt8(company & 0xFF), UInt8(company >> 8)] + bytes)
        }
        self.init(
            name: device.name, signal: device.signalStrength, transmitPower: device.transmitPower,
            services: device.uuids.map(\.description), manufacturerData: manufacturer,
            serviceData: Dictionary(
                device.serviceData.map { ($0.key.description, Data($0.value)) }, uniquingKeysWith: { first, _ in first }
            ))
    }
}

extension BlueZTree {
    /// Returns all services of a connected device.
    func records(of device: BlueZIdentifier) -> [BluetoothServiceRecord] {
        services(of: device).map { service in
            BluetoothServiceRecord(
                attribute: service.id.rawValue, uuid: service.uuid.description, isPrimary: service.isPrimary,
                includes: service.includes.map(\.rawValue),
                characteristics: characteristics(of: service.id).map { characteristic in
                    BluetoothCharacteristicRecord(
                        attribute: characteristic.id.rawValue, uuid: characteristic.uuid.description,
                        properties: CharacteristicProperties.bits(characteristic.flags),
                        maximumTransmission: characteristic.maximumTransmission,
                        descriptors: descriptors(of: characteristic.id).map {
                            BluetoothDescriptorRecord(attribute: $0.id.rawValue, uuid: $0.uuid.description)
                        })
                })
        }
    }
}

enum CharacteristicProperties {
    /// Returns the properties of a characteristic.
    ///
    /// - Parameter flags: The flags of bluetoothd. Flags about the protection of the connection aren't properties.
    static func bits(_ flags: Set<String>) -> Int {
        let bits = [
            "broadcast": 0x01, "read": 0x02, "write-without-response": 0x04, "write": 0x08, "notify": 0x10,
            "indicate": 0x20, "authenticated-signed-writes": 0x40, "extended-properties": 0x80,
            "encrypt-notify": 0x100, "encrypt-indicate": 0x200,
        ]
        return flags.reduce(0) { $0 | (bits[$1] ?? 0) }
    }
}

extension BluetoothFailure {
    init(_ error: BlueZError) {
        let code: Code =
            switch error.code {
            case .notConnected: .notConnected
            case .noSuchDevice: .unknownDevice
            case .unreachable: .unreachable
            case .timedOut, .authenticationTimedOut: .timedOut
            case .notSupported: .notSupported
            case .cancelled, .authenticationCancelled: .cancelled
            default: .failed
            }
        self.init(code, error.message, attributeError: error.attributeError.map(Int.init))
    }
}

extension CentralEvent.State {
    /// - Parameter wasRunning: `true` if bluetoothd was running before.
    /// - Returns: `nil` while the state isn't known.
    init?(_ update: BlueZUpdate, wasRunning: Bool) {
        switch update.state {
        case .connecting: return nil
        case .unavailable(let error) where error.code == .accessDenied: self = .unauthorized
        case .unavailable: self = wasRunning ? .resetting : .unsupported
        case .running:
            let adapters = update.tree.adapters
            self = adapters.isEmpty ? .unsupported : adapters.contains(where: \.isPowered) ? .poweredOn : .poweredOff
        }
    }
}
