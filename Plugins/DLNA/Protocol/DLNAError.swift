/// An error of data from a device.
package enum DLNAError: Error, Sendable, Hashable {
    /// The document is longer than the limit, in bytes.
    case tooLarge(limit: Int)
    /// Elements are nested deeper than the limit.
    case tooDeep(limit: Int)
    /// More elements or attributes than the limit.
    case tooManyElements(limit: Int)
    /// A document type declaration, which no UPnP document needs and every entity bomb does.
    case documentTypeRefused
    /// Not well-formed; `offset` is the byte where reading stopped.
    case malformed(String, offset: Int)
    /// The document ends inside an element.
    case truncated
    /// A required element or header is absent.
    case missing(String)
    /// The document is of another kind than expected; the root element's name.
    case unexpected(String)
    /// The URL can't be used with this device.
    case invalidAddress(String)
    /// No device in the description is a media renderer.
    case notRenderer
}

extension DLNAError: CustomStringConvertible {
    /// One sentence for people.
    package var description: String {
        switch self {
        case .tooLarge(let limit): "The device's document is larger than \(limit) bytes."
        case .tooDeep(let limit): "The device's document is nested deeper than \(limit) elements."
        case .tooManyElements(let limit): "The device's document has more than \(limit) elements."
        case .documentTypeRefused: "The device's document declares a document type, which is refused."
        case .malformed(let what, let offset): "The device's document is malformed at byte \(offset): \(what)."
        case .truncated: "The device's document is incomplete."
        case .missing(let name): "The device's answer lacks \(name)."
        case .unexpected(let name): "The device answered with an unexpected document (\(name))."
        case .invalidAddress(let text): "The device gave an address that cannot be used: \(text)."
        case .notRenderer: "The device does not describe itself as a media renderer."
        }
    }
}
