public import ArgumentParser
public import GoogleCastProtocol

/// The settings of a simulated device.
struct ReceiverSettings: Sendable {
    /// A simulated failure.
    enum Failure: String, Sendable, CaseIterable, ExpressibleByArgument {
        /// Refuses to start an app.
        case launch
        /// Refuses all media.
        case load
        /// Refuses live sound and pictures.
        case stream
        /// Stops with an error after five seconds of playback.
        case playback
        /// Accepts connections and answers only heartbeats.
        case silent
        /// Sends data that violates the protocol.
        case garbage
    }

    var volume = CastVolume.Control.attenuation
    var level = 0.5
    var step = 0.05
    var failure: Failure?
    /// The `reason` of a refused start.
    var launchError = "NOT_ALLOWED"
    /// The devices of a group.
    var members: [ReceiverMember] = []
    /// The `detailedErrorCode` of refused media.
    var loadError = 104
    /// A Boolean value that indicates whether media has two audio tracks and one subtitle track.
    var hasTracks = false
    /// The file for the certificate of the authority that signs the device; `nil` for a device without a signature.
    var authority: String?
    /// A Boolean value that indicates whether the device shows pictures.
    var hasScreen = true
    /// The part of the packets of live sound and pictures that gets lost, `0...1`.
    var loss = 0.0
    /// The file for the samples of live sound.
    var recording: String?
    /// The file for live pictures.
    var pictureRecording: String?
    /// Distinguishes the app sessions of this run from those before.
    var run = "1"
}

extension CastVolume.Control: @retroactive ExpressibleByArgument {}
