package import HostInterface

/// The sound server of this machine, which carries the sound of Bluetooth devices.
package protocol BluetoothSoundPort: Sendable {
    /// Waits for the server's output of a device, and starts playback.
    ///
    /// - Parameters:
    ///   - address: The address; see ``BluetoothDeviceState/address``.
    ///   - title: The name in the server's mixer.
    ///   - isPaused: `true` to wait for a resume.
    ///   - latency: The time that sound may wait for the output, in seconds; `nil` for the usual one.
    /// - Throws: ``HostError`` `no-sound-server` or `no-sound-output`, with the next step.
    func play(
        to address: String, title: String, isPaused: Bool, latency: Double?
    ) async throws(HostError) -> any BluetoothSound
}

/// The playback on a Bluetooth device.
package protocol BluetoothSound: Sendable {
    /// Returns the descriptor of ``BluetoothAnswer/sound``, which the caller then owns; `nil` the second time.
    func takeEntry() -> Int32?
    /// The events, for one consumer. The stream finishes after a final event.
    var events: AsyncStream<BluetoothSoundEvent> { get }
    func setPaused(_ isPaused: Bool) async
    /// Silences it at once.
    func close() async
}

package enum BluetoothSoundEvent: Sendable, Hashable {
    case heard(BluetoothSoundPlace)
    /// Everything was heard. Nothing follows.
    case ended
    /// The server's output disappeared, for example because the device was switched off. Nothing follows.
    case lost
}
