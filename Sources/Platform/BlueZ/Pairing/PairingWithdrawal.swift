/// The steps that take back what a failed attempt to pair may leave behind: a state machine without I/O.
///
/// `Pair` fails also behind keys that are stored already: where the device leaves while bluetoothd reads its services, and where
/// whoever asked for it gave up (`device.c`, 5.66: the reply follows the browsing, the bond precedes it). And as long as
/// the connection is up, the device may begin anew by itself. bluetoothd reads the kernel's events in their order, and no key
/// follows the end of a connection: what is there once the device is disconnected is all there will be.
struct PairingWithdrawal {
    /// A device as bluetoothd shows it; `nil` where it does not know it.
    struct Facts: Hashable {
        var hasKeys: Bool
        var isConnected: Bool
    }

    enum Step: Hashable {
        /// `Device1.Disconnect`, then look again.
        case disconnect
        /// `Adapter1.RemoveDevice`, which disconnects as well, then look again.
        case remove
        case end(isClean: Bool)
    }

    private static let limit = 3
    private var removals = 0
    private var disconnections = 0

    mutating func next(_ facts: Facts?) -> Step {
        guard let facts else { return .end(isClean: true) }
        if facts.hasKeys {
            guard removals < Self.limit else { return .end(isClean: false) }
            removals += 1
            return .remove
        }
        // One that does not let itself be disconnected has no keys for all that.
        guard facts.isConnected, disconnections < Self.limit else { return .end(isClean: true) }
        disconnections += 1
        return .disconnect
    }
}

extension PairingWithdrawal.Facts {
    init(_ device: BluetoothDevice) { self.init(hasKeys: device.hasKeys, isConnected: device.isConnected) }
}
