import PlaybackKit

/// The extension for this computer as a device: it plays on the output that the sound server uses by default.
@main
final class ThisComputerExtension: SamplePlayerExtension, MediaReading {
    let protocolType = UTType(exportedAs: "org.mdhost.protocol.this-computer")
    lazy var players = PlayerController(ComputerDevices(), for: self)
}
