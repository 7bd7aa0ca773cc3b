/// One receiver, from all it announces.
package struct AirPlayReceiverFacts: Sendable, Hashable {
    /// The authentication that a receiver requires.
    package enum Protection: Sendable, Hashable {
        case none
        case password
        /// A code on its screen, proved by the older pairing.
        case legacyCode
        /// A code on its screen, proved by HAP pairing.
        case homeKitCode
    }

    /// The reason why live audio can't be sent to a receiver.
    package enum Obstacle: String, Sendable, Hashable {
        case announcesNoAudio = "it announces no audio service"
        case needsPairing = "it takes sound from paired senders by AirPlay 2 only"
        case needsEncryption = "it takes audio only by an encryption that is not open"
        case needsOtherCodec = "it takes no lossless audio"
        case needsOtherTransport = "it takes no audio over UDP"
        case needsOtherFormat = "it takes no 16-bit stereo at 44,100 Hz"
    }

    package enum Kind: Sendable, Hashable { case speaker, television, mediaBox, laptop, desktop }

    package let identifier: AirPlayIdentifier
    package let name: String
    package let model: String?
    package let protection: Protection
    package let kind: Kind
    package let audioObstacle: Obstacle?
    /// A Boolean value that indicates whether the receiver accepts only audio encrypted with ``StreamEncryption``.
    package let wantsEncryptedAudio: Bool
    /// A Boolean value that indicates whether the receiver plays media from a URL.
    package let playsAddresses: Bool
    /// A Boolean value that indicates whether the control connection has to be encrypted without a code.
    package let wantsTransientPairing: Bool
    package let metadata: Set<AirPlayRecord.Metadata>

    /// - Parameter records: One or two of the same receiver.
    package init?(_ records: [AirPlayRecord]) {
        let audio = records.first { $0.service == .audio }
        let control = records.first { $0.service == .control }
        guard let main = control ?? audio else { return nil }
        identifier = main.identifier
        name = main.name
        model = control?.model ?? audio?.model
        // The newer service has more feature bits. Bits of two services are never combined, because an old service may
        // be announced by another program of the same device.
        let features = control?.features ?? audio?.features ?? []
        protection = Self.protection(audio: audio, control: control, features: features)
        audioObstacle = Self.obstacle(audio, protection: protection)
        wantsEncryptedAudio = audio.map { !$0.encryptions.contains(.none) } ?? false
        metadata = audio?.metadata ?? []
        playsAddresses = control != nil && features.contains(.video)
        wantsTransientPairing = protection == .none && features.contains(.transientPairing)
        kind = Self.kind(
            model: model, showsVideo: !features.isDisjoint(with: [.video, .videoHTTPLiveStreams, .screen]))
    }

    /// Returns the required authentication. A password isn't a code: the receiver's flags determine which is required,
    /// and a code also needs a supported pairing. A receiver without pairing has no code, whatever its flags.
    private static func protection(
        audio: AirPlayRecord?, control: AirPlayRecord?, features: AirPlayFeatures
    ) -> Protection {
        let flags = (control?.flags ?? []).union(audio?.flags ?? [])
        if !flags.isDisjoint(with: [.codeRequired, .pairingRequired]) {
            if !features.isDisjoint(with: [.homeKitPairing, .coreUtilsPairing]) { return .homeKitCode }
            if features.contains(.legacyPairing) { return .legacyCode }
        }
        let saysPassword = audio?.saysPassword == true || control?.saysPassword == true
        return saysPassword || flags.contains(.passwordRequired) ? .password : .none
    }

    private static func obstacle(_ audio: AirPlayRecord?, protection: Protection) -> Obstacle? {
        guard let audio else { return .announcesNoAudio }
        if protection == .homeKitCode { return .needsPairing }
        if !audio.takesDatagrams { return .needsOtherTransport }
        if audio.encryptions.isDisjoint(with: [.none, .rsa]) { return .needsEncryption }
        if !audio.codecs.contains(.lossless) { return .needsOtherCodec }
        return audio.format == [44_100, 16, 2] ? nil : .needsOtherFormat
    }

    private static func kind(model: String?, showsVideo: Bool) -> Kind {
        let model = model ?? ""
        if model.hasPrefix("AppleTV") { return .mediaBox }
        if model.hasPrefix("MacBook") { return .laptop }
        if model.hasPrefix("Mac") || model.hasPrefix("iMac") { return .desktop }
        if model.hasPrefix("AudioAccessory") || model.hasPrefix("AirPort") || model.hasPrefix("Shairport") {
            return .speaker
        }
        return showsVideo ? .television : .speaker
    }
}
