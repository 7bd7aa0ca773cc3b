import PlaybackKit

/// The extension for Google Cast devices and groups.
@main
final class GoogleCastExtension: SamplePlayerExtension {
    let protocolType = UTType(exportedAs: "org.mdhost.protocol.googlecast")
    lazy var players = PlayerController(CastDevices(), for: self)
}
