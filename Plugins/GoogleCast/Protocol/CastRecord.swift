/// The TXT record of a device. Only the identifier matters; missing or unknown keys hide no device.
public struct CastRecord: Sendable, Hashable {
    /// The name for people.
    public let name: String
    public let model: String?
    public let hasScreen: Bool
    public let isGroup: Bool
    /// The running app's status text, for people; `nil` if no app runs.
    public let activity: String?

    /// - Parameters:
    ///   - record: The keys and values of the TXT record.
    ///   - instance: The name of the service.
    public init(_ record: [String: String], instance: String) {
        name = record["fn"].flatMap { $0.isEmpty ? nil : $0 } ?? instance
        model = record["md"].flatMap { $0.isEmpty ? nil : $0 }
        let capabilities = record["ca"].flatMap { Int($0) }
        isGroup = capabilities.map { $0 & 32 != 0 } ?? (model == "Google Cast Group")
        activity = record["st"] == "1" ? record["rs"].flatMap { $0.isEmpty ? nil : $0 } : nil
        hasScreen = capabilities.map { $0 & 1 != 0 } ?? !isGroup
    }

    /// Returns the identity of a device: its own identifier, in one spelling. The address isn't one, because that of a
    /// group changes with its leader.
    public static func identity(_ record: [String: String], instance: String) -> String {
        guard let identifier = record["id"], !identifier.isEmpty else { return "name:" + instance }
        return Self.identity(identifier)
    }

    /// Returns an identifier in one spelling.
    static func identity(_ identifier: String) -> String { identifier.lowercased().filter { $0 != "-" } }
}
