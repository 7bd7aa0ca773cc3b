/// The limits for a document from a device. A document that exceeds them is refused.
package struct XMLLimits: Sendable, Hashable {
    /// Bytes of the whole document.
    package var size = 1 << 20
    /// Open elements at once.
    package var depth = 32
    /// Elements and attributes together.
    package var elements = 20_000

    /// The limits for descriptions, answers and events.
    package static let standard = XMLLimits()
}
