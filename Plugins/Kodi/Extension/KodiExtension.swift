import PlaybackKit

/// The extension for Kodi, which uses its remote control interface, JSON-RPC.
@main
final class KodiExtension: PlayerExtension {
    let protocolType = UTType(exportedAs: "org.mdhost.protocol.kodi")
    lazy var players = PlayerController(KodiDevices(), for: self)
}
