public import Foundation

/// The delegate of a ``CBCentralManager``, called on the manager's queue. Every method except the state's is optional.
public protocol CBCentralManagerDelegate: AnyObject {
    /// Reports that the state of Bluetooth is known or has changed. Start scans and connections when it is `poweredOn`.
    func centralManagerDidUpdateState(_ central: CBCentralManager)
    /// Reports an advertisement of a peripheral.
    ///
    /// - Parameters:
    ///   - central: The manager.
    ///   - peripheral: The peripheral. Retain it to connect to it.
    ///   - advertisementData: The data under the `CBAdvertisementData…Key` keys.
    ///   - RSSI: The signal strength in dBm; 127 if it wasn't measured.
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber)
    /// Reports that a peripheral is connected.
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)
    /// Reports that an attempt to connect to a peripheral failed. Connect again to retry.
    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)
    /// Reports that a peripheral is disconnected.
    ///
    /// - Parameters:
    ///   - central: The manager.
    ///   - peripheral: The peripheral.
    ///   - error: The reason; `nil` if the app requested the disconnection.
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
