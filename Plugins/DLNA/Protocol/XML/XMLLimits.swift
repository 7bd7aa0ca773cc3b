/// The limits for a document from a device. A document that exceeds them is refused.
package struct XMLLimits: Sendable, Hashable {
    /// Bytes of the whole document.
    package var size: Int
    /// Open elements at once.
    package var depth: Int
    /// Elements and attributes together.
    package var elements: Int

    package init(size: Int = 1 << 20, depth: Int = 32, elements: Int = 20_000) {
        self.size = size
        self.depth = depth
        self.elements = elements
    }

    /// The limits for descriptions, answers and events.
    package static let standard = XMLLimits()
}
