import PlaybackKit

/// The extension for Bluetooth speakers and headphones. It discovers, pairs and connects them, and plays through the
/// sound server.
@main
final class BluetoothExtension: SamplePlayerExtension, MediaReading {
    let protocolType = UTType(exportedAs: "org.mdhost.protocol.bluetooth")
    private lazy var host = MediaDeviceRoutingManager.routingManager(for: self)
    lazy var players = PlayerController(
        BluetoothDevices { [host] in host.setCredential($0, for: $1) }, for: self)
}
