/// The availability of bluetoothd.
package enum BlueZState: Sendable, Hashable {
    /// It is being looked for.
    case connecting
    case running
    /// It is awaited, for this reason: no system bus, no bluetoothd, no right to use it.
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
