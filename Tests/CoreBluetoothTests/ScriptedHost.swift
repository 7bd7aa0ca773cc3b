import Dispatch
import Foundation
import HostInterface
import Synchronization

@testable import CoreBluetooth

/// The host's side of one manager.
final class ScriptedHost: BluetoothSource {
    private let feed: AsyncStream<CentralEvent>.Continuation
    private let events: AsyncStream<CentralEvent>
    private let requests = Mutex<AsyncStream<CentralRequest>?>(nil)

    init() { (events, feed) = AsyncStream.makeStream() }

    func open(_ requests: AsyncStream<CentralRequest>) -> AsyncStream<CentralEvent> {
        self.requests.withLock { $0 = requests }
        return events
    }

    /// The next one of that kind; others before it are passed over.
    func request(_ kind: CentralRequest.Kind) async -> CentralRequest {
        guard let requests = requests.withLock({ $0 }) else { return CentralRequest(.close) }
        for await request in requests where request.kind == kind { return request }
        return CentralRequest(.close)
    }

    func requestsAreOver() async -> Bool {
        guard let requests = requests.withLock({ $0 }) else { return false }
        for await _ in requests {}
        return true
    }

    func tell(_ kind: CentralEvent.Kind = .state, _ fill: (inout CentralEvent) -> Void) {
        var event = CentralEvent(kind)
        fill(&event)
        feed.yield(event)
    }

    func hear(_ device: String, _ advertisement: BluetoothAdvertisement) {
        tell(.heard) {
            $0.device = device
            $0.advertisement = advertisement
        }
    }

    func connect(_ device: String, _ services: [BluetoothServiceRecord]) {
        tell(.connected) {
            $0.device = device
            $0.services = services
        }
    }

    func modify(_ device: String, _ services: [BluetoothServiceRecord]) {
        tell(.modified) {
            $0.device = device
            $0.services = services
        }
    }

    func disconnect(_ device: String, _ failure: BluetoothFailure?) {
        tell(.disconnected) {
            $0.device = device
            $0.failure = failure
        }
    }

    func answer(_ request: CentralRequest, _ fill: (inout CentralEvent) -> Void) {
        tell(.answer) {
            $0.number = request.number
            fill(&$0)
        }
    }

    func change(_ device: String, _ attribute: String, _ value: Data) {
        tell(.changed) {
            $0.device = device
            $0.attribute = attribute
            $0.value = value
        }
    }

    func end() { feed.finish() }
}

/// Records the calls of delegate methods.
///
/// - Note: `@unchecked Sendable`: its mutable state is locked.
final class Witness: CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    private let queue = DispatchQueue(label: "witness")
    private let told: AsyncStream<String>
    private let feed: AsyncStream<String>.Continuation
    private let lock = NSLock()
    private var found: CBPeripheral?
    private var data: [String: Any] = [:]

    init() { (told, feed) = AsyncStream.makeStream() }

    func begin(_ host: ScriptedHost) -> CBCentralManager {
        CBCentralManager(delegate: self, queue: queue, source: host)
    }

    var peripheral: CBPeripheral? { lock.withLock { found } }
    var advertisement: [String: Any] { lock.withLock { data } }
    func forget() { lock.withLock { found = nil } }

    /// Returns the next call, in words.
    func next() async -> String? {
        for await words in told { return words }
        return nil
    }

    private func note(_ words: String) { feed.yield(words) }
    private func words(_ error: (any Error)?) -> String { error.map { "\($0)" } ?? "nil" }

    func centralManagerDidUpdateState(_ central: CBCentralManager) { note("state \(central.state.rawValue)") }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        dispatchPrecondition(condition: .onQueue(queue))
        lock.withLock { (found, data) = (peripheral, advertisementData) }
        note("discovered \(peripheral.name ?? "nil") \(RSSI)")
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { note("connected") }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        note("failed \(words(error))")
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        note("disconnected \(words(error))")
    }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        note("signal \(RSSI) \(words(error))")
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        note("services \(words(error))")
    }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        note("modified \(invalidatedServices.map(\.uuid.uuidString))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) {
        note("included \(service.includedServices?.map(\.uuid.uuidString) ?? []) \(words(error))")
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { note("ready to write") }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
        note("characteristics \(words(error))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        note("descriptors \(words(error))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        let digits = (characteristic.value ?? Data()).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        note("value \(digits.joined()) \(words(error))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        note("written \(words(error))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        note("notifying \(characteristic.isNotifying) \(words(error))")
    }
}
