public import Foundation
import HostInterface
import Synchronization

/// A peripheral that was discovered, and its attributes after it is connected.
///
/// ``delegate`` receives the results, on the queue of the manager that discovered the peripheral. Every request fails
/// with ``CBError/notConnected`` unless the peripheral is connected.
///
/// - Note: `@unchecked Sendable` because the compiler can't check its delegate. A lock protects all mutable state.
public final class CBPeripheral: CBPeer, @unchecked Sendable {
    private struct State {
        var name: String?
        var state = CBPeripheralState.disconnected
        var delegate = Weak<any CBPeripheralDelegate>(nil)
        var all: [CBService] = []
        var services: [CBService]?
        /// The number of writes without response that the host hasn't accepted yet.
        var unansweredCommands = 0
        var owesReadiness = false
    }

    /// The number of pending writes without response at which ``canSendWriteWithoutResponse`` becomes `false`, and the
    /// maximum.
    private static let commands = (comfortable: 16, greatest: 256)
    /// The longest value of an attribute in bytes (Core Specification, 3.F, 3.2.9).
    private static let greatestValue = 512
    /// The smallest LE MTU, and the header of a write, in bytes.
    private static let packet = (smallest: 23, header: 3)

    private let shared = Mutex(State())
    private let channel: ManagerChannel

    init(_ identifier: UUID, _ channel: ManagerChannel) {
        self.channel = channel
        super.init(identifier)
    }

    /// The delegate, held weakly.
    public var delegate: (any CBPeripheralDelegate)? {
        get { shared.withLock { $0.delegate }.object }
        set {
            let reference = Weak(newValue)
            shared.withLock { $0.delegate = reference }
        }
    }

    /// The advertised name; `nil` before it is known.
    public var name: String? { shared.withLock { $0.name } }
    /// The state of the connection.
    public var state: CBPeripheralState { shared.withLock { $0.state } }
    /// The discovered services; `nil` before a discovery and after a disconnection.
    public var services: [CBService]? { shared.withLock { $0.services } }
    /// A Boolean value that indicates whether a write without response is possible now. After `false`, the delegate's
    /// ``CBPeripheralDelegate/peripheralIsReady(toSendWriteWithoutResponse:)`` reports when it is.
    public var canSendWriteWithoutResponse: Bool {
        shared.withLock { state in
            let isPossible = state.state == .connected && state.unansweredCommands < Self.commands.comfortable
            if !isPossible, state.state == .connected { state.owesReadiness = true }
            return isPossible
        }
    }

    /// Returns the longest value of one write, in bytes.
    ///
    /// With response it is 512, which BlueZ splits into pieces. Without response it is the payload of a packet of the
    /// negotiated MTU, or 20 if the MTU is unknown.
    public func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
        guard type == .withoutResponse else { return Self.greatestValue }
        let known = shared.withLock { $0.all }.flatMap(\.all).compactMap(\.maximumTransmission).max()
        let length = max(known ?? 0, Self.packet.smallest) - Self.packet.header
        return min(length, Self.greatestValue)
    }

    // MARK: Discovery of services, characteristics and descriptors

    /// Discovers services. The delegate receives the result.
    ///
    /// - Parameter serviceUUIDs: The requested services; `nil` for all.
    public func discoverServices(_ serviceUUIDs: [CBUUID]?) {
        let error = errorUnlessConnected
        if error == nil {
            shared.withLock { state in
                state.services = state.all.filter { serviceUUIDs?.contains($0.uuid) ?? true }
            }
        }
        channel.tell { self.delegate?.peripheral(self, didDiscoverServices: error) }
    }

    /// Discovers the services that a service includes. The delegate receives the result.
    ///
    /// - Parameters:
    ///   - includedServiceUUIDs: The requested services; `nil` for all.
    ///   - service: The including service.
    public func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
        let error = errorUnlessConnected
        if error == nil {
            let all = shared.withLock { $0.all }
            service.discoverIncluded(
                service.record.includes.compactMap { attribute in
                    all.first { $0.attribute == attribute && includedServiceUUIDs?.contains($0.uuid) ?? true }
                })
        }
        channel.tell { self.delegate?.peripheral(self, didDiscoverIncludedServicesFor: service, error: error) }
    }

    /// Discovers the characteristics of a service. The delegate receives the result.
    ///
    /// - Parameters:
    ///   - characteristicUUIDs: The requested characteristics; `nil` for all.
    ///   - service: The service.
    public func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
        let error = errorUnlessConnected
        if error == nil { service.discover(characteristicUUIDs) }
        channel.tell { self.delegate?.peripheral(self, didDiscoverCharacteristicsFor: service, error: error) }
    }

    /// Discovers the descriptors of a characteristic. The delegate receives the result.
    public func discoverDescriptors(for characteristic: CBCharacteristic) {
        let error = errorUnlessConnected
        if error == nil { characteristic.discoverDescriptors() }
        channel.tell { self.delegate?.peripheral(self, didDiscoverDescriptorsFor: characteristic, error: error) }
    }

    // MARK: Values

    /// Reads the value of a characteristic. The delegate receives the result.
    public func readValue(for characteristic: CBCharacteristic) {
        ask(CentralRequest(.read, attribute: characteristic.attribute)) { answer, error in
            if let value = answer?.value { characteristic.set(value: value) }
            self.delegate?.peripheral(self, didUpdateValueFor: characteristic, error: error)
        }
    }

    /// Writes the value of a characteristic. The delegate receives the result of a write with response.
    ///
    /// - Parameters:
    ///   - data: The value, at most ``maximumWriteValueLength(for:)`` bytes.
    ///   - characteristic: The characteristic.
    ///   - type: The kind of write. A write without response is dropped if 256 are pending; check
    ///     ``canSendWriteWithoutResponse`` first.
    public func writeValue(_ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType) {
        guard type == .withResponse else { return command(data, characteristic) }
        ask(CentralRequest(.write, attribute: characteristic.attribute, value: data)) { _, error in
            self.delegate?.peripheral(self, didWriteValueFor: characteristic, error: error)
        }
    }

    private func command(_ data: Data, _ characteristic: CBCharacteristic) {
        let isAccepted = shared.withLock { state in
            guard state.state == .connected, state.unansweredCommands < Self.commands.greatest else { return false }
            state.unansweredCommands += 1
            if state.unansweredCommands >= Self.commands.comfortable { state.owesReadiness = true }
            return true
        }
        guard isAccepted else { return }
        ask(CentralRequest(.command, attribute: characteristic.attribute, value: data)) { _, _ in
            let isReadyAgain = self.shared.withLock { state in
                state.unansweredCommands = max(0, state.unansweredCommands - 1)
                guard state.owesReadiness, state.unansweredCommands < Self.commands.comfortable else { return false }
                state.owesReadiness = false
                return state.state == .connected
            }
            if isReadyAgain { self.delegate?.peripheralIsReady(toSendWriteWithoutResponse: self) }
        }
    }

    /// Starts or stops notifications of a characteristic's value. The delegate receives the result.
    public func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        ask(CentralRequest(enabled ? .follow : .unfollow, attribute: characteristic.attribute)) { _, error in
            if error == nil { characteristic.set(notifying: enabled) }
            self.delegate?.peripheral(self, didUpdateNotificationStateFor: characteristic, error: error)
        }
    }

    /// Reads the value of a descriptor. The delegate receives the result.
    public func readValue(for descriptor: CBDescriptor) {
        ask(CentralRequest(.read, attribute: descriptor.attribute)) { answer, error in
            if let value = answer?.value { descriptor.set(value: value) }
            self.delegate?.peripheral(self, didUpdateValueFor: descriptor, error: error)
        }
    }

    /// Writes the value of a descriptor. The delegate receives the result.
    public func writeValue(_ data: Data, for descriptor: CBDescriptor) {
        ask(CentralRequest(.write, attribute: descriptor.attribute, value: data)) { _, error in
            self.delegate?.peripheral(self, didWriteValueFor: descriptor, error: error)
        }
    }

    /// Reads the signal strength in dBm. The delegate receives the result.
    ///
    /// BlueZ measures advertisements only. While the peripheral is connected, the result is therefore the last value
    /// before the connection; 127 if there is none.
    public func readRSSI() {
        ask(CentralRequest(.readSignal)) { answer, error in
            self.delegate?.peripheral(self, didReadRSSI: NSNumber(value: answer?.signal ?? 127), error: error)
        }
    }

    // MARK: Channels

    /// Opens an L2CAP channel. The delegate receives it.
    ///
    /// If the peripheral demands encryption or pairing for the channel, BlueZ tries to provide it. An error is
    /// ``CBError/connectionFailed`` if the peripheral has no such service or that fails,
    /// ``CBError/connectionLimitReached`` if eight channels of the manager are open, and
    /// ``CBError/connectionTimeout`` after 15 s without an answer.
    /// - Parameter PSM: The number of the peripheral's service, 1 to 255.
    public func openL2CAPChannel(_ PSM: CBL2CAPPSM) {
        guard 1...0xFF ~= PSM else {
            let error = CBError(.invalidParameters, "No LE service has the number \(PSM).")
            return channel.tell { self.delegate?.peripheral(self, didOpen: nil, error: error) }
        }
        ask(CentralRequest(.openChannel, psm: PSM)) { answer, error in
            let opened = answer.flatMap { self.opened(PSM, $0) }
            let error = opened == nil ? error ?? CBError(.unknown) : nil
            self.delegate?.peripheral(self, didOpen: opened, error: error)
        }
    }

    private func opened(_ psm: CBL2CAPPSM, _ answer: CentralEvent) -> CBL2CAPChannel? {
        guard let descriptor = answer.channel, let number = answer.number else { return nil }
        let close = CentralRequest(.closeChannel, number: number, device: identifier.uuidString)
        let socket = ChannelSocket(descriptor, longestPacket: answer.longestPacket ?? 23) { [channel] in
            channel.post(close)
        }
        return CBL2CAPChannel(socket, psm: psm, peer: self)
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

    // MARK: Events from the manager, on its queue

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
            guard new == .disconnected else { return }
            (state.all, state.services) = ([], nil)
            (state.unansweredCommands, state.owesReadiness) = (0, false)
        }
    }

    func connected(_ records: [BluetoothServiceRecord]) {
        let services = records.compactMap { CBService($0, of: self) }
        shared.withLock { state in
            state.state = .connected
            state.all = services
        }
    }

    /// Replaces the services. Unchanged services keep their objects.
    func modified(_ records: [BluetoothServiceRecord]) {
        let gone = shared.withLock { state -> [CBService] in
            let kept = state.all.filter { records.contains($0.record) }
            let gone = state.all.filter { service in !kept.contains { $0 === service } }
            state.all = records.compactMap { record in
                kept.first { $0.record == record } ?? CBService(record, of: self)
            }
            state.services?.removeAll { service in gone.contains { $0 === service } }
            for service in kept { service.dropIncluded(gone) }
            return gone
        }
        delegate?.peripheral(self, didModifyServices: gone)
    }

    func changed(_ attribute: String, _ value: Data) {
        let services = shared.withLock { $0.all }
        for characteristic in services.flatMap(\.all) where characteristic.attribute == attribute {
            characteristic.set(value: value)
            delegate?.peripheral(self, didUpdateValueFor: characteristic, error: nil)
        }
    }
}
