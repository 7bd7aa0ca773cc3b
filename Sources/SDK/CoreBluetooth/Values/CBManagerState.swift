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
    case notDetermined = 0
    case restricted
    case denied
    case allowedAlways
}

/// The state of the connection to a peripheral.
public enum CBPeripheralState: Int, Sendable, Hashable {
    case disconnected = 0
    case connecting
    case connected
    case disconnecting
}
