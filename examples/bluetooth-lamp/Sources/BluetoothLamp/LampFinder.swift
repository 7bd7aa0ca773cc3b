import CoreBluetooth
import Foundation

/// Looks for lamps, and keeps those it finds connected.
@MainActor
final class LampFinder {
    private lazy var central = CBCentralManager(delegate: self, queue: nil)
    private var lamps: [UUID: Lamp] = [:]
    private var isWanted = false
    private let found: (Lamp) -> Void
    private let lost: (Lamp) -> Void
    private let changed: (Lamp) -> Void

    init(found: @escaping (Lamp) -> Void, lost: @escaping (Lamp) -> Void, changed: @escaping (Lamp) -> Void) {
        self.found = found
        self.lost = lost
        self.changed = changed
    }

    func start() {
        isWanted = true
        scanIfPossible()
    }

    func stop() {
        isWanted = false
        central.stopScan()
    }

    private func scanIfPossible() {
        guard isWanted, central.state == .poweredOn else { return }
        central.scanForPeripherals(withServices: [Lamp.service])
    }
}

extension LampFinder: @MainActor CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state != .poweredOn else { return scanIfPossible() }
        for lamp in lamps.values { lost(lamp) }
        lamps = [:]
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard lamps[peripheral.identifier] == nil else { return }
        lamps[peripheral.identifier] = Lamp(peripheral, ready: found, changed: changed)
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([Lamp.service])
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        lamps[peripheral.identifier] = nil
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        guard let lamp = lamps.removeValue(forKey: peripheral.identifier) else { return }
        lost(lamp)
        // It is reported again with its next advertisement.
        scanIfPossible()
    }
}
