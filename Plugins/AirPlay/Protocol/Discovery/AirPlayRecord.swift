/// The record of an announced service, `_raop._tcp` or `_airplay._tcp`.
///
/// An unreadable value counts as missing, because many working receivers announce invalid values.
package struct AirPlayRecord: Sendable, Hashable {
    package enum Service: String, Sendable, Hashable, CaseIterable {
        case audio = "_raop._tcp"
        case control = "_airplay._tcp"
    }

    /// The encoding of audio, the numbers of `cn`.
    package enum Codec: Int, Sendable, Hashable { case pcm = 0, lossless, aac, aacLowDelay }

    /// The encryption of audio, the numbers of `et`.
    package enum Encryption: Int, Sendable, Hashable { case none = 0, rsa, fairPlay = 3, mfi = 4, fairPlay2 = 5 }

    /// The kinds of metadata that are shown, the numbers of `md`.
    package enum Metadata: Int, Sendable, Hashable { case text = 0, artwork, progress }

    package let service: Service
    package let identifier: AirPlayIdentifier
    /// The name for people.
    package let name: String
    package let features: AirPlayFeatures?
    package let flags: AirPlayStatusFlags
    package let model: String?
    package let saysPassword: Bool
    package let codecs: Set<Codec>
    package let encryptions: Set<Encryption>
    package let metadata: Set<Metadata>
    package let takesDatagrams: Bool
    /// Frames a second, bits a sample and channels it asks for.
    package let format: [Int]

    /// - Parameters:
    ///   - instance: The service's name: for audio `AABBCCDDEEFF@Name`.
    ///   - text: The TXT record by lower-case key.
    /// - Returns: `nil` for a service without an identifier.
    package init?(_ service: Service, instance: String, text: [String: String]) {
        let parts = instance.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        switch service {
        case .audio:
            guard parts.count == 2, let identifier = AirPlayIdentifier(String(parts[0])) else { return nil }
            self.identifier = identifier
            name = parts[1].isEmpty ? String(parts[0]) : String(parts[1])
            features = text["ft"].flatMap { AirPlayFeatures(text: $0) }
            flags = text["sf"].flatMap { AirPlayStatusFlags(text: $0) } ?? []
            model = text["am"].flatMap { $0.isEmpty ? nil : $0 }
        case .control:
            guard let identifier = text["deviceid"].flatMap({ AirPlayIdentifier($0) }) else { return nil }
            self.identifier = identifier
            name = instance.isEmpty ? identifier.digits : instance
            features = text["features"].flatMap { AirPlayFeatures(text: $0) }
            flags = text["flags"].flatMap { AirPlayStatusFlags(text: $0) } ?? []
            model = text["model"].flatMap { $0.isEmpty ? nil : $0 }
        }
        self.service = service
        saysPassword = ["true", "1"].contains((text["pw"] ?? "").lowercased())
        codecs = Set(Self.numbers(text["cn"] ?? "0,1").compactMap(Codec.init))
        encryptions = Set(Self.numbers(text["et"] ?? "0").compactMap(Encryption.init))
        metadata = Set(Self.numbers(text["md"] ?? "").compactMap(Metadata.init))
        takesDatagrams = text["tp"].map { $0.uppercased().split(separator: ",").contains("UDP") } ?? true
        format = [
            Self.number(text["sr"]) ?? 44_100, Self.number(text["ss"]) ?? 16, Self.number(text["ch"]) ?? 2,
        ]
    }

    private static func number(_ text: String?) -> Int? { text.flatMap { Int($0) } }

    private static func numbers(_ text: String) -> [Int] { text.split(separator: ",").compactMap { Int($0) } }
}
