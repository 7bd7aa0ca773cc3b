/// The state of Bluetooth on this computer.
public enum CBManagerState: Int, Sendable, Hashable {
    /// The state isn't known yet; an update follows.
    case unknown = 0
    /// bluetoothd isn't running at the moment; an update follows when it is back.
    case resetting
    /// This computer has no Bluetooth controller.
    case unsupported
    /// The host isn't allowed to use bluetoothd.
    case unauthorized
    /// Bluetooth is off.
    case poweredOff
    /// Bluetooth is on and can be used.
    case poweredOn
}

/// The authorization of this program to use Bluetooth.
public enum CBManagerAuthorization: Int, Sendable, Hashable {
    /// The authorization isn't known yet.
    case notDetermined = 0
    /// The system restricts the use of Bluetooth. Never used on Linux.
    case restricted
    /// The host isn't allowed to use bluetoothd.
    case denied
    /// The host may use Bluetooth.
    case allowedAlways
}

/// The state of the connection to a peripheral.
public enum CBPeripheralState: Int, Sendable, Hashable {
    /// The peripheral isn't connected.
    case disconnected = 0
    /// The peripheral is being connected.
    case connecting
    /// The peripheral is connected.
    case connected
    /// The peripheral is being disconnected.
    case disconnecting
}
