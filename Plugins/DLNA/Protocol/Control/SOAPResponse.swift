/// A service's answer to an action.
package enum SOAPResponse: Sendable, Hashable {
    /// The out arguments by name; white space around values removed.
    case success([String: String])
    case fault(UPnPFault)

    /// Parses an answer.
    ///
    /// - Parameters:
    ///   - document: The body of the HTTP answer, whatever its status.
    ///   - action: The called action. An answer to another one is refused.
    /// - Throws: ``DLNAError``; `unexpected` for an HTML error page or another action's answer.
    /// - Source: UPnP Device Architecture 1.1, sections 3.2.2 and 3.2.5.
    package init(parsing document: some Sequence<UInt8>, action: String) throws(DLNAError) {
        let root = try XMLReader.parse(document)
        guard root.name == "Envelope" else { throw .unexpected(root.name) }
        guard let body = root.child("Body") else { throw .missing("Body") }
        if let fault = body.child("Fault") {
            self = .fault(try UPnPFault(fault))
            return
        }
        guard let answer = body.child(action + "Response") else {
            throw body.children.first.map { .unexpected($0.name) } ?? .missing(action + "Response")
        }
        self = .success(Dictionary(answer.children.map { ($0.name, $0.trimmedText) }) { first, _ in first })
    }
}
