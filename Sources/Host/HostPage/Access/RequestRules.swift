import HTTPTypes

/// The rules for the head of a request, before anything of it is looked at: which server it is for, and which page sent it.
///
/// A page of another origin must not be able to send commands (cross-site request forgery), and a name of another's that
/// leads here must not make its page one of ours (DNS rebinding).
struct RequestRules: Sendable {
    /// The exact values of `Host` that are this server's.
    private let hosts: Set<String>

    enum Refusal: Sendable, Hashable {
        /// The name in `Host` isn't one of this server's.
        case misdirected
        /// Another page sent the request.
        case foreignOrigin
        /// The request doesn't say where it comes from, or isn't JSON.
        case notJSON
    }

    /// - Parameters:
    ///   - names: The names and numeric addresses of this server, IPv6 ones in brackets.
    init(names: [String], port: Int) {
        hosts = Set(
            names.flatMap { name in
                let own = "\(name.lowercased()):\(port)"
                return port == 80 ? [own, name.lowercased()] : [own]
            })
    }

    /// Returns why a request is refused; `nil` if it may go on.
    ///
    /// - Parameter takesBytes: `true` for an upload, whose content type is that of the file; its own header field makes
    ///   browsers ask before another page may send it.
    func refusal(of request: HTTPRequest, takesBytes: Bool = false) -> Refusal? {
        let fields = request.headerFields
        // HTTP/1.1 has exactly one; the parser hands the first on as the authority, and others as fields.
        guard let host = request.authority?.lowercased(), hosts.contains(host), request.path?.hasPrefix("/") == true,
            HTTPField.Name("Host").map({ fields[values: $0].isEmpty }) ?? true
        else { return .misdirected }
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { fields[values: $0] } ?? []
        let origins = fields[values: .origin]
        guard origins.count <= 1, site.count <= 1 else { return .foreignOrigin }
        // An address that is typed, a bookmark and our own page; never a page of another.
        if let site = site.first, site != "same-origin", !(site == "none" && request.method == .get) {
            // A link on another page may lead to the page itself, which needs no right.
            let isVisit =
                request.method == .get && HTTPField.Name("Sec-Fetch-Mode").flatMap { fields[$0] } == "navigate"
                && !(request.path ?? "").hasPrefix("/api/")
            guard isVisit else { return .foreignOrigin }
        }
        if let origin = origins.first, origin.lowercased() != "http://\(host)" { return .foreignOrigin }
        guard request.method == .post else { return nil }
        guard !origins.isEmpty || site.first == "same-origin" else { return .foreignOrigin }
        if takesBytes {
            return HTTPField.Name("X-Mdhost-Page").flatMap { fields[$0] } == "1" ? nil : .notJSON
        }
        let type = fields[.contentType]?.split(separator: ";").first.map { $0.lowercased().filter { $0 != " " } }
        return type == "application/json" ? nil : .notJSON
    }
}
