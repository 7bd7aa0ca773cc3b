/// The identity of an announced MPD server.
///
/// MPD has no identifier of its own, over the network or in its TXT record. Its configured name, its host and its port
/// stay the same from day to day, and together identify it, with the name it had when it was first seen
/// (``MPDPlaces``). The address isn't part of the identity, and neither is the process number that MPD appends to its
/// service name (`Kitchen[812]`), which changes at every start.
public struct MPDIdentity: Sendable, Hashable {
    /// The configured name: the service's without process number and conflict mark.
    public let name: String
    /// Host name in lower case without a final dot.
    public let host: String
    public let port: Int

    /// Creates the identity of a service.
    ///
    /// - Parameters:
    ///   - service: DNS-SD instance name as announced.
    ///   - host: The name its SRV record points at; empty if it isn't known; then only the name counts.
    public init(service: String, host: String, port: Int) {
        name = Self.configuredName(service)
        let lower = host.lowercased()
        self.host = lower.hasSuffix(".") ? String(lower.dropLast()) : lower
        self.port = port
    }

    private init(name: String, host: String, port: Int) {
        self.name = name
        self.host = host
        self.port = port
    }

    /// Returns the identity of the same place with another name.
    func named(_ name: String) -> MPDIdentity { MPDIdentity(name: name, host: host, port: port) }

    /// Creates an identity that differs from a twin's only by its announced name. It lasts until the server restarts.
    init(announced service: String, port: Int) {
        name = service
        host = ""
        self.port = port
    }

    /// The text a name-based UUID is made from: `mpd:name NUL host NUL port`.
    public var stableText: String { "mpd:" + [name, host, String(port)].joined(separator: "\u{0}") }

    /// Removes `[812]` (MPD's process number) and ` #2` (Avahi's conflict number), in either order.
    ///
    /// A name that would become empty stays as announced.
    public static func configuredName(_ service: String) -> String {
        var name = Substring(service)
        while let shorter = withoutProcessNumber(name) ?? withoutConflictMark(name) { name = shorter }
        return name.isEmpty ? service : String(name)
    }

    /// Names to show for servers seen at the same time: the configured one where only one has it, else with the host
    /// (`Kitchen (pi)`), and with the port where one host has several (`Kitchen (pi:6601)`).
    public static func displayNames(_ identities: Set<MPDIdentity>) -> [MPDIdentity: String] {
        var names: [MPDIdentity: String] = [:]
        for (name, twins) in Dictionary(grouping: identities, by: \.name) {
            for identity in twins {
                let host = identity.host.hasSuffix(".local") ? String(identity.host.dropLast(6)) : identity.host
                let isAlone = twins.count { $0.host == identity.host } == 1
                names[identity] =
                    if twins.count == 1 { name } else { "\(name) (\(isAlone ? host : "\(host):\(identity.port)"))" }
            }
        }
        return names
    }

    private static func withoutProcessNumber(_ name: Substring) -> Substring? {
        guard name.last == "]", let open = name.lastIndex(of: "["), open > name.startIndex else { return nil }
        let digits = name[name.index(after: open)...].dropLast()
        return isNumber(digits) ? trimmed(name[..<open]) : nil
    }

    private static func withoutConflictMark(_ name: Substring) -> Substring? {
        guard let mark = name.lastIndex(of: "#"), mark > name.startIndex else { return nil }
        let before = name[..<mark]
        return before.last == " " && isNumber(name[name.index(after: mark)...]) ? trimmed(before) : nil
    }

    private static func isNumber(_ text: Substring) -> Bool {
        (1...10).contains(text.count) && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func trimmed(_ text: Substring) -> Substring? {
        let end = text.lastIndex { $0 != " " }
        return end.map { text[...$0] }
    }
}
