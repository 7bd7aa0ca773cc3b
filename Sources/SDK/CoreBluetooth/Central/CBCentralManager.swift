public import Dispatch
public import Foundation
import HostInterface
import Synchronization

/// The base class of managers.
///
/// - Note: `@unchecked Sendable`, like its subclass, because the compiler can't check a superclass. A lock protects all
///   mutable state.
public class CBManager: @unchecked Sendable {
    fileprivate let currentState = Mutex(CBManagerState.unknown)

    fileprivate init() {}

    /// The current state of Bluetooth.
    public var state: CBManagerState { currentState.withLock { $0 } }
    /// The host's authorization to use Bluetooth, as last reported to a manager of this process. The host uses
    /// Bluetooth for all extensions. `notDetermined` before the first report.
    public class var authorization: CBManagerAuthorization { lastAuthorization.withLock { $0 } }
    /// The host's authorization to use Bluetooth.
    public var authorization: CBManagerAuthorization { CBManagerAuthorization(state) }

    private static let lastAuthorization = Mutex(CBManagerAuthorization.notDetermined)

    /// Sets the state.
    ///
    /// - Returns: `true` if the state changed.
    fileprivate func change(to new: CBManagerState) -> Bool {
        let isNew = currentState.withLock { state in
            defer { state = new }
            return state != new
        }
        CBManager.lastAuthorization.withLock { $0 = CBManagerAuthorization(new) }
        return isNew
    }
}

/// A manager that discovers LE peripherals and connects to them.
///
/// The host owns the radio and shares it among all managers: it scans as long as one of them scans, and keeps a
/// peripheral connected as long as one of them needs it.
public final class CBCentralManager: CBManager, @unchecked Sendable {
    private struct State {
        var delegate = Weak<any CBCentralManagerDelegate>(nil)
        var isScanning = false
        var peripherals: [UUID: CBPeripheral] = [:]
        /// The peripherals whose disconnection was requested.
        var ending: Set<UUID> = []
    }

    private let shared = Mutex(State())
    private let channel: ManagerChannel

    /// Creates a manager. The delegate receives the state as soon as the host reports it.
    ///
    /// - Parameters:
    ///   - delegate: The delegate, held weakly.
    ///   - queue: The queue for calls of the delegate; `nil` for the main queue.
    ///   - options: Has no effect on Linux.
    public convenience init(
        delegate: (any CBCentralManagerDelegate)? = nil, queue: DispatchQueue? = nil, options: [String: Any]? = nil
    ) {
        self.init(delegate, queue) { begin in BluetoothSources.whenThere(begin) }
    }

    /// Creates a manager with its own source of events.
    convenience init(delegate: any CBCentralManagerDelegate, queue: DispatchQueue, source: any BluetoothSource) {
        self.init(delegate, queue) { begin in begin(source) }
    }

    private init(
        _ delegate: (any CBCentralManagerDelegate)?, _ queue: DispatchQueue?,
        whenThere: (@escaping @Sendable (any BluetoothSource) -> Void) -> Void
    ) {
        channel = ManagerChannel(queue: queue)
        super.init()
        self.delegate = delegate
        whenThere { [weak self, channel] source in
            channel.begin(source) { [weak self] in self?.receive($0) }
        }
    }

    deinit { channel.end() }

    /// The delegate, held weakly.
    public var delegate: (any CBCentralManagerDelegate)? {
        get { shared.withLock { $0.delegate }.object }
        set {
            let reference = Weak(newValue)
            shared.withLock { $0.delegate = reference }
        }
    }

    /// A Boolean value that indicates whether the manager scans for peripherals.
    public var isScanning: Bool { shared.withLock { $0.isScanning } }

    // MARK: Finding

    /// Starts to scan for peripherals, in place of an earlier scan. Has no effect unless ``CBManager/state`` is
    /// `poweredOn`.
    ///
    /// - Parameters:
    ///   - serviceUUIDs: Reports only peripherals that advertise one of these services; `nil` or empty for all.
    ///   - options: ``CBCentralManagerScanOptionAllowDuplicatesKey``.
    public func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
        guard state == .poweredOn else { return }
        shared.withLock { $0.isScanning = true }
        channel.post(
            CentralRequest(
                .scan, services: (serviceUUIDs ?? []).map(\.uuidString),
                allowsDuplicates: options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? Bool ?? false))
    }

    /// Stops the scan.
    public func stopScan() {
        shared.withLock { $0.isScanning = false }
        channel.post(CentralRequest(.stopScan))
    }

    /// Returns the peripherals with these identifiers that this manager has discovered. Scan first to discover others.
    public func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
        shared.withLock { state in identifiers.compactMap { state.peripherals[$0] } }
    }

    /// Returns the peripherals that this manager has connected and whose discovered services include one of these.
    public func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
        let known = shared.withLock { Array($0.peripherals.values) }
        return known.filter { peripheral in
            peripheral.state == .connected
                && (peripheral.services ?? []).contains { serviceUUIDs.contains($0.uuid) }
        }
    }

    // MARK: Connecting

    /// Connects to a peripheral and discovers its attributes. The delegate receives the result.
    ///
    /// Has no effect unless the peripheral is disconnected.
    /// - Parameters:
    ///   - peripheral: The peripheral.
    ///   - options: Has no effect on Linux.
    public func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        guard peripheral.state == .disconnected else { return }
        peripheral.set(.connecting)
        shared.withLock { state in
            state.peripherals[peripheral.identifier] = peripheral
            state.ending.remove(peripheral.identifier)
        }
        channel.post(CentralRequest(.connect, device: peripheral.identifier.uuidString))
    }

    /// Disconnects a peripheral, or cancels the attempt to connect. The delegate receives the result.
    public func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
        guard [.connecting, .connected].contains(peripheral.state) else { return }
        peripheral.set(.disconnecting)
        shared.withLock { _ = $0.ending.insert(peripheral.identifier) }
        channel.post(CentralRequest(.disconnect, device: peripheral.identifier.uuidString))
    }

    // MARK: Events of the host, on the queue

    private func receive(_ event: CentralEvent) {
        switch event.kind {
        case .state: changeState(CBManagerState(event.state ?? .unknown))
        case .heard: heard(event)
        case .connected:
            guard let peripheral = known(event), peripheral.state == .connecting else { return }
            peripheral.connected(event.services ?? [])
            delegate?.centralManager(self, didConnect: peripheral)
        case .modified:
            guard let peripheral = known(event), peripheral.state == .connected else { return }
            peripheral.modified(event.services ?? [])
        case .disconnected: disconnected(event)
        case .changed:
            guard let attribute = event.attribute, let value = event.value else { return }
            known(event)?.changed(attribute, value)
        case .answer: break
        }
    }

    private func changeState(_ new: CBManagerState) {
        guard change(to: new) else { return }
        if new != .poweredOn {
            let peripherals = shared.withLock { state in
                state.isScanning = false
                return Array(state.peripherals.values)
            }
            // As on Apple's systems, the peripherals get no separate callbacks: the manager's state covers them.
            for peripheral in peripherals { peripheral.set(.disconnected) }
        }
        delegate?.centralManagerDidUpdateState(self)
    }

    private func heard(_ event: CentralEvent) {
        guard isScanning, let advertisement = event.advertisement,
            let identifier = event.device.flatMap({ UUID(uuidString: $0) })
        else { return }
        let peripheral = shared.withLock { state in
            let peripheral = state.peripherals[identifier] ?? CBPeripheral(identifier, channel)
            state.peripherals[identifier] = peripheral
            return peripheral
        }
        peripheral.heard(advertisement)
        delegate?.centralManager(
            self, didDiscover: peripheral, advertisementData: advertisement.dictionary,
            rssi: NSNumber(value: advertisement.signal ?? 127))
    }

    private func disconnected(_ event: CentralEvent) {
        guard let peripheral = known(event), peripheral.state != .disconnected else { return }
        let wasConnecting = peripheral.state == .connecting
        let wasAskedFor = shared.withLock { $0.ending.remove(peripheral.identifier) != nil }
        peripheral.set(.disconnected)
        if wasConnecting {
            delegate?.centralManager(
                self, didFailToConnect: peripheral, error: event.failure?.asError ?? CBError(.connectionFailed))
        } else {
            delegate?.centralManager(
                self, didDisconnectPeripheral: peripheral,
                error: wasAskedFor ? nil : event.failure?.asError ?? CBError(.peripheralDisconnected))
        }
    }

    private func known(_ event: CentralEvent) -> CBPeripheral? {
        event.device.flatMap { UUID(uuidString: $0) }.flatMap { identifier in
            shared.withLock { $0.peripherals[identifier] }
        }
    }
}

extension CBManagerAuthorization {
    fileprivate init(_ state: CBManagerState) {
        switch state {
        case .unknown: self = .notDetermined
        case .unauthorized: self = .denied
        // A missing bluetoothd or controller isn't a denied permission.
        case .resetting, .unsupported, .poweredOff, .poweredOn: self = .allowedAlways
        }
    }
}

extension CBManagerState {
    fileprivate init(_ state: CentralEvent.State) {
        switch state {
        case .unknown: self = .unknown
        case .resetting: self = .resetting
        case .unsupported: self = .unsupported
        case .unauthorized: self = .unauthorized
        case .poweredOff: self = .poweredOff
        case .poweredOn: self = .poweredOn
        }
    }
}
