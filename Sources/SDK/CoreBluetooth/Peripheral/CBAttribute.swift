public import Foundation
import HostInterface
import Synchronization

/// A service, characteristic or descriptor.
///
/// - Note: `@unchecked Sendable`, like its subclasses, because the compiler can't check a superclass. A lock protects
///   all mutable state.
public class CBAttribute: @unchecked Sendable {
    /// The type of the attribute.
    public let uuid: CBUUID

    init(_ uuid: CBUUID) { self.uuid = uuid }
}

/// Objects are equal if they are the same one, as on Apple's systems.
extension CBAttribute: Hashable {
    public static func == (left: CBAttribute, right: CBAttribute) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A service of a peripheral.
public final class CBService: CBAttribute, @unchecked Sendable {
    /// A Boolean value that indicates whether the service is primary, rather than only included in another one.
    public let isPrimary: Bool
    /// The discovered characteristics; `nil` before the first discovery.
    public var characteristics: [CBCharacteristic]? { discovered.withLock { $0 } }
    /// The discovered included services; `nil` before the first discovery.
    public var includedServices: [CBService]? { included.withLock { $0 } }
    /// The peripheral; `nil` after it was released.
    public var peripheral: CBPeripheral? { owner.object }

    /// The host's identifier of the service.
    let attribute: String
    /// The host's description of the service.
    let record: BluetoothServiceRecord
    /// All characteristics, discovered or not.
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

    /// Adds discovered included services. Those discovered earlier remain.
    ///
    /// - Parameter services: The included services that were requested.
    func discoverIncluded(_ services: [CBService]) {
        included.withLock { known in
            let earlier = known ?? []
            known = earlier + services.filter { one in !earlier.contains { $0 === one } }
        }
    }

    /// Removes services that the peripheral no longer has.
    func dropIncluded(_ gone: [CBService]) {
        included.withLock { known in known?.removeAll { one in gone.contains { $0 === one } } }
    }

    /// Adds discovered characteristics. Those discovered earlier remain.
    ///
    /// - Parameter wanted: The requested characteristics; `nil` for all.
    func discover(_ wanted: [CBUUID]?) {
        discovered.withLock { known in
            let earlier = known ?? []
            known = all.filter { one in
                wanted?.contains(one.uuid) ?? true || earlier.contains { $0 === one }
            }
        }
    }
}

/// A characteristic of a service.
public final class CBCharacteristic: CBAttribute, @unchecked Sendable {
    private struct State {
        var value: Data?
        var isNotifying = false
        var descriptors: [CBDescriptor]?
        var service = Weak<CBService>(nil)
    }

    /// The operations that the characteristic supports.
    public let properties: CBCharacteristicProperties
    /// The value that was last read or notified; `nil` before.
    public var value: Data? { state.withLock { $0.value } }
    /// A Boolean value that indicates whether the delegate receives changes of the value.
    public var isNotifying: Bool { state.withLock { $0.isNotifying } }
    /// The discovered descriptors; `nil` before the first discovery.
    public var descriptors: [CBDescriptor]? { state.withLock { $0.descriptors } }
    /// The service; `nil` after it was released.
    public var service: CBService? { state.withLock { $0.service }.object }

    /// The host's identifier of the characteristic.
    let attribute: String
    /// The MTU of the connection in bytes; `nil` if unknown.
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

/// A descriptor of a characteristic.
public final class CBDescriptor: CBAttribute, @unchecked Sendable {
    private struct State {
        var value: Data?
        var characteristic = Weak<CBCharacteristic>(nil)
    }

    /// The value that was last read: `String` for a user description, otherwise `Data`; `nil` before.
    public var value: Any? {
        guard let data = state.withLock({ $0.value }) else { return nil }
        guard uuid.uuidString == CBUUIDCharacteristicUserDescriptionString else { return data }
        return String(decoding: data, as: UTF8.self)
    }
    /// The characteristic; `nil` after it was released.
    public var characteristic: CBCharacteristic? { state.withLock { $0.characteristic }.object }

    /// The host's identifier of the descriptor.
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
