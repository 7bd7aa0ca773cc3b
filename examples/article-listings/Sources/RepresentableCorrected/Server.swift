import Foundation

/// The page's server, here a record of its requests.
actor ServerConnection {
    private(set) var requests: [String] = []

    func play() throws { requests.append("play") }
    func pause() throws { requests.append("pause") }
    func setVolume(_ level: Float, forDevice device: String) throws { requests.append("volume \(device) \(level)") }
    func loadArtworkData(for track: String, size: CGSize) -> Data { Data() }
}

extension RemotePlayerModel {
    func update(with attributes: MySession.Attributes) { snapshot = attributes.snapshot }
}
