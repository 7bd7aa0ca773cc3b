import Foundation
import HostInterface
import Synchronization

/// A service, a characteristic or a descriptor.
///
/// - Note: `@unchecked Sendable`, as its subclasses are, because a superclass cannot be checked; everything that changes is
///   locked.
public class CBAttribute: @unchecked Sendable {
    /// What it is.
    public let uuid: CBUUID

    init(_ uuid: CBUUID) { self.uuid = uuid }
}

/// What belongs together on a peripheral.
public final class CBService: CBAttribute, @unchecked Sendable {
    /// Whether it stands for what the peripheral is, and is not only part of another.
    public let isPrimary: Bool
    /// `nil` until they are discovered.
    public var characteristics: [CBCharacteristic]? { discovered.withLock { $0 } }
    /// `nil` until they are discovered.
    public var includedServices: [CBService]? { included.withLock { $0 } }
    /// Whose it is; `nil` once nobody holds the peripheral.
    public var peripheral: CBPeripheral? { owner.object }

    /// What the host calls it.
    let attribute: String
    /// As the host describes it.
    let record: BluetoothServiceRecord
    /// Discovered or not.
    let all: [CBCharacteristic]
    private let included = Mutex<[CBService]?>(nil)
    private let owner: Weak<CBPeripheral>
    private let discovered = Mutex<[CBCharacteristic]?>(nil)

    init?(_ record: BluetoothServiceRecord, of peripheral: CBPeripheral) {
        guard let uuid = CBUUID(validating: record.uuid) else { return nil }
        isPrimary = record.isPrimary
        attribute = record.attribute
        self.record = record
        owner = Weak(peripheral)
        all = record.characteristics.compactMap { CBCharacteristic($0) }
        super.init(uuid)
        for characteristic in all { characteristic.adopt(self) }
    }

    /// - Parameter services: Those that it includes and that were asked for. Those discovered before stay so.
    func discoverIncluded(_ services: [CBService]) {
        included.withLock { known in
            let earlier = known ?? []
            known = earlier + services.filter { one in !earlier.contains { $0 === one } }
        }
    }

    /// Services that are gone are included no longer.
    func dropIncluded(_ gone: [CBService]) {
        included.withLock { known in known?.removeAll { one in gone.contains { $0 === one } } }
    }

    /// - Parameter wanted: `nil`: all. Those discovered before stay so.
    func discover(_ wanted: [CBUUID]?) {
        discovered.withLock { known in
            let earlier = known ?? []
            known = all.filter { one in
                wanted?.contains(one.uuid) ?? true || earlier.contains { $0 === one }
            }
        }
    }
}

/// A value of a service.
public final class CBCharacteristic: CBAttribute, @unchecked Sendable {
    private struct State {
        var value: Data?
        var isNotifying = false
        var descriptors: [CBDescriptor]?
        var service = Weak<CBService>(nil)
    }

    public let properties: CBCharacteristicProperties
    /// As last read or notified.
    public var value: Data? { state.withLock { $0.value } }
    /// Whether its changes are told.
    public var isNotifying: Bool { state.withLock { $0.isNotifying } }
    /// `nil` until they are discovered.
    public var descriptors: [CBDescriptor]? { state.withLock { $0.descriptors } }
    /// `nil` once the service is gone.
    public var service: CBService? { state.withLock { $0.service }.object }

    /// What the host calls it.
    let attribute: String
    /// The link's MTU in bytes; `nil` where it isn't known.
    let maximumTransmission: Int?
    private let all: [CBDescriptor]
    private let state = Mutex(State())

    init?(_ record: BluetoothCharacteristicRecord) {
        guard let uuid = CBUUID(validating: record.uuid) else { return nil }
        attribute = record.attribute
        maximumTransmission = record.maximumTransmission
        properties = CBCharacteristicProperties(rawValue: UInt(clamping: record.properties))
        all = record.descriptors.compactMap { CBDescriptor($0) }
        super.init(uuid)
        for descriptor in all { descriptor.adopt(self) }
    }

    func adopt(_ service: CBService) {
        let reference = Weak(service)
        state.withLock { $0.service = reference }
    }

    func set(value: Data) { state.withLock { $0.value = value } }
    func set(notifying: Bool) { state.withLock { $0.isNotifying = notifying } }
    func discoverDescriptors() { state.withLock { $0.descriptors = all } }
}

/// What is said about a characteristic.
public final class CBDescriptor: CBAttribute, @unchecked Sendable {
    private struct State {
        var value: Data?
        var characteristic = Weak<CBCharacteristic>(nil)
    }

    /// As last read: `String` for a user description, else `Data`.
    public var value: Any? {
        guard let data = state.withLock({ $0.value }) else { return nil }
        guard uuid.uuidString == CBUUIDCharacteristicUserDescriptionString else { return data }
        return String(decoding: data, as: UTF8.self)
    }
    /// `nil` once the characteristic is gone.
    public var characteristic: CBCharacteristic? { state.withLock { $0.characteristic }.object }

    /// What the host calls it.
    let attribute: String
    private let state = Mutex(State())

    init?(_ record: BluetoothDescriptorRecord) {
        guard let uuid = CBUUID(validating: record.uuid) else { return nil }
        attribute = record.attribute
        super.init(uuid)
    }

    func adopt(_ characteristic: CBCharacteristic) {
        let reference = Weak(characteristic)
        state.withLock { $0.characteristic = reference }
    }

    func set(value: Data) { state.withLock { $0.value = value } }
}
