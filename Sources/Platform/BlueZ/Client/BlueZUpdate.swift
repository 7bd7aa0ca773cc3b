/// The availability of bluetoothd.
package enum BlueZState: Sendable, Hashable {
    /// The client is connecting.
    case connecting
    case running
    /// The client waits for it, for this reason: no system bus, no bluetoothd, no permission.
    case unavailable(BlueZError)
}

/// The current state and the changes since the previous update.
package struct BlueZUpdate: Sendable {
    package let state: BlueZState
    /// Empty unless ``state`` is running.
    package let tree: BlueZTree
    /// Added, removed and changed objects. Each is here once, however often it changed: an update has the newest state.
    package let changed: Set<BlueZIdentifier>
}
