import HostInterface

/// The sound server of this machine, which carries the sound of Bluetooth devices.
package protocol BluetoothSoundPort: Sendable {
    /// Waits until the server has an output of the device, and begins to play there.
    ///
    /// - Parameters:
    ///   - address: As in ``BluetoothDeviceState/address``.
    ///   - title: What people see in the server's mixer.
    ///   - isPaused: Whether it begins only when it is resumed.
    /// - Throws: ``HostError`` `no-sound-server` and `no-sound-output`, which say what to do.
    func play(to address: String, title: String, isPaused: Bool) async throws(HostError) -> any BluetoothSound
}

/// Sound on its way to a Bluetooth device.
package protocol BluetoothSound: Sendable {
    /// The descriptor of ``BluetoothAnswer/sound``, which is the caller's from then on; `nil` the second time.
    func takeEntry() -> Int32?
    /// Ends with one of those after which nothing follows; one consumer.
    var events: AsyncStream<BluetoothSoundEvent> { get }
    func setPaused(_ isPaused: Bool) async
    /// Silences it at once.
    func close() async
}

package enum BluetoothSoundEvent: Sendable, Hashable {
    case heard(BluetoothSoundPlace)
    /// All was heard; nothing follows.
    case ended
    /// The server's output is gone, as when the device was switched off; nothing follows.
    case lost
}
