import PlaybackKit

@main
final class KitchenRadio: PlayerExtension {
    let protocolType = UTType(exportedAs: "org.example.kitchen-radio")
    lazy var players = PlayerController(RadioProtocol(), for: self)
}
