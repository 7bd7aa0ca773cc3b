import Foundation

/// Told what a ``CBCentralManager`` finds, on its queue. Everything but the state is optional.
public protocol CBCentralManagerDelegate: AnyObject {
    /// Whether Bluetooth can be used is known, or is otherwise than before. Scanning and connecting begin here.
    func centralManagerDidUpdateState(_ central: CBCentralManager)
    /// - Parameters:
    ///   - advertisementData: By `CBAdvertisementData…Key`.
    ///   - RSSI: In dBm; 127 where it was not measured.
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber)
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)
    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)
    /// - Parameter error: `nil` where it was asked for.
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?)
}

extension CBCentralManagerDelegate {
    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {}
    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {}
    public func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {}
    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {}
}
