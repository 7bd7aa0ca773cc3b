import Foundation
import HostInterface
import Synchronization

/// A device that was found, and what it offers once it is connected.
///
/// Its answers come to ``delegate``, on the queue of the manager that found it.
///
/// - Note: `@unchecked Sendable` because its delegate cannot be checked; everything that changes is locked.
public final class CBPeripheral: @unchecked Sendable {
    private struct State {
        var name: String?
        var state = CBPeripheralState.disconnected
        var delegate = Weak<any CBPeripheralDelegate>(nil)
        var all: [CBService] = []
        var services: [CBService]?
    }

    /// The same for the same device whenever this machine finds it, unless the device hides its address.
    public let identifier: UUID

    private let shared = Mutex(State())
    private let channel: ManagerChannel

    init(_ identifier: UUID, _ channel: ManagerChannel) {
        self.identifier = identifier
        self.channel = channel
    }

    /// Not kept alive.
    public var delegate: (any CBPeripheralDelegate)? {
        get { shared.withLock { $0.delegate }.object }
        set {
            let reference = Weak(newValue)
            shared.withLock { $0.delegate = reference }
        }
    }

    /// What it calls itself; `nil` until it said so.
    public var name: String? { shared.withLock { $0.name } }
    /// Whether it is connected.
    public var state: CBPeripheralState { shared.withLock { $0.state } }
    /// `nil` until they are discovered.
    public var services: [CBService]? { shared.withLock { $0.services } }
    /// Whether a value may be written without response now: while it is connected, as BlueZ queues them.
    public var canSendWriteWithoutResponse: Bool { state == .connected }

    /// The largest number of bytes that are written at once: 512, which BlueZ writes in pieces, or without response what the
    /// smallest packet takes.
    public func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int { type == .withResponse ? 512 : 20 }

    // MARK: Finding out what it has

    /// - Parameter serviceUUIDs: Those wanted; `nil`: all.
    public func discoverServices(_ serviceUUIDs: [CBUUID]?) {
        let error = errorUnlessConnected
        if error == nil {
            shared.withLock { state in
                state.services = state.all.filter { serviceUUIDs?.contains($0.uuid) ?? true }
            }
        }
        channel.tell { self.delegate?.peripheral(self, didDiscoverServices: error) }
    }

    /// - Parameter characteristicUUIDs: Those wanted; `nil`: all.
    public func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
        let error = errorUnlessConnected
        if error == nil { service.discover(characteristicUUIDs) }
        channel.tell { self.delegate?.peripheral(self, didDiscoverCharacteristicsFor: service, error: error) }
    }

    public func discoverDescriptors(for characteristic: CBCharacteristic) {
        let error = errorUnlessConnected
        if error == nil { characteristic.discoverDescriptors() }
        channel.tell { self.delegate?.peripheral(self, didDiscoverDescriptorsFor: characteristic, error: error) }
    }

    // MARK: Values

    public func readValue(for characteristic: CBCharacteristic) {
        ask(CentralRequest(.read, attribute: characteristic.attribute)) { answer, error in
            if let value = answer?.value { characteristic.set(value: value) }
            self.delegate?.peripheral(self, didUpdateValueFor: characteristic, error: error)
        }
    }

    /// - Parameter type: Of what is written without response nothing is told.
    public func writeValue(_ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType) {
        let kind = type == .withResponse ? CentralRequest.Kind.write : .command
        ask(CentralRequest(kind, attribute: characteristic.attribute, value: data)) { _, error in
            guard type == .withResponse else { return }
            self.delegate?.peripheral(self, didWriteValueFor: characteristic, error: error)
        }
    }

    /// Has changes of the value told, or not any more.
    public func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        ask(CentralRequest(enabled ? .follow : .unfollow, attribute: characteristic.attribute)) { _, error in
            if error == nil { characteristic.set(notifying: enabled) }
            self.delegate?.peripheral(self, didUpdateNotificationStateFor: characteristic, error: error)
        }
    }

    public func readValue(for descriptor: CBDescriptor) {
        ask(CentralRequest(.read, attribute: descriptor.attribute)) { answer, error in
            if let value = answer?.value { descriptor.set(value: value) }
            self.delegate?.peripheral(self, didUpdateValueFor: descriptor, error: error)
        }
    }

    public func writeValue(_ data: Data, for descriptor: CBDescriptor) {
        ask(CentralRequest(.write, attribute: descriptor.attribute, value: data)) { _, error in
            self.delegate?.peripheral(self, didWriteValueFor: descriptor, error: error)
        }
    }

    /// How well it is heard. BlueZ measures announcements only, so while it is connected this is of before; 127 where it
    /// was not measured.
    public func readRSSI() {
        ask(CentralRequest(.readSignal)) { answer, error in
            self.delegate?.peripheral(self, didReadRSSI: NSNumber(value: answer?.signal ?? 127), error: error)
        }
    }

    private var errorUnlessConnected: CBError? { state == .connected ? nil : CBError(.notConnected) }

    private func ask(
        _ request: CentralRequest, _ take: @escaping @Sendable (CentralEvent?, (any Error)?) -> Void
    ) {
        if let error = errorUnlessConnected {
            channel.tell { take(nil, error) }
            return
        }
        var request = request
        request.device = identifier.uuidString
        channel.ask(request) { answer in take(answer, answer.failure?.asError) }
    }

    // MARK: What the manager hears of it, on its queue

    func heard(_ advertisement: BluetoothAdvertisement) {
        guard let name = advertisement.name else { return }
        let isAnother = shared.withLock { state in
            defer { state.name = name }
            return state.name != nil && state.name != name
        }
        if isAnother { delegate?.peripheralDidUpdateName(self) }
    }

    func set(_ new: CBPeripheralState) {
        shared.withLock { state in
            state.state = new
            if new == .disconnected { (state.all, state.services) = ([], nil) }
        }
    }

    func connected(_ records: [BluetoothServiceRecord]) {
        let services = records.compactMap { CBService($0, of: self) }
        shared.withLock { state in
            state.state = .connected
            state.all = services
        }
    }

    func changed(_ attribute: String, _ value: Data) {
        let services = shared.withLock { $0.all }
        for characteristic in services.flatMap(\.all) where characteristic.attribute == attribute {
            characteristic.set(value: value)
            delegate?.peripheral(self, didUpdateValueFor: characteristic, error: nil)
        }
    }
}
