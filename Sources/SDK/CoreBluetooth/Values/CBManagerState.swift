/// Whether Bluetooth can be used.
public enum CBManagerState: Int, Sendable, Hashable {
    /// Not known yet; it will be told.
    case unknown = 0
    /// bluetoothd is not there at the moment.
    case resetting
    /// This machine has no Bluetooth controller.
    case unsupported
    /// The host has no right to use bluetoothd.
    case unauthorized
    case poweredOff
    case poweredOn
}

/// Whether this program may use Bluetooth.
public enum CBManagerAuthorization: Int, Sendable, Hashable {
    case notDetermined = 0
    case restricted
    case denied
    case allowedAlways
}

/// Whether a peripheral is connected to this machine.
public enum CBPeripheralState: Int, Sendable, Hashable {
    case disconnected = 0
    case connecting
    case connected
    case disconnecting
}
