import DeviceDiscovery

extension NWConnection {
    /// What belongs to a message: how it is sent, or what was received with it.
    public final class ContentContext: Sendable {
        /// A name of the program's own.
        public let identifier: String
        /// Whether this is the last message in its direction.
        public let isFinal: Bool
        /// Facts of protocols about the message, the uppermost protocol first.
        public let protocolMetadata: [NWProtocolMetadata]

        /// Makes a context.
        ///
        /// - Parameters:
        ///   - identifier: A name of the program's own.
        ///   - isFinal: Whether nothing follows; a complete send with it closes the direction.
        ///   - metadata: Such as the kind of a WebSocket message.
        public init(identifier: String, isFinal: Bool = false, metadata: [NWProtocolMetadata]? = nil) {
            self.identifier = identifier
            self.isFinal = isFinal
            protocolMetadata = metadata ?? []
        }

        /// Returns the facts of one protocol; `nil` without any.
        public func protocolMetadata(definition: NWProtocolDefinition) -> NWProtocolMetadata? {
            protocolMetadata.first { $0.definition == definition }
        }

        /// A message among others.
        public static let defaultMessage = ContentContext(identifier: "default message")
        /// Part of a stream.
        public static let defaultStream = ContentContext(identifier: "default stream")
        /// The last message.
        public static let finalMessage = ContentContext(identifier: "final message", isFinal: true)
    }

    /// What is told about content that is sent.
    public enum SendCompletion: Sendable {
        /// Content that may be sent twice without harm; nothing is told.
        case idempotent
        /// Called on the connection's queue once the system took the content; with the error if it didn't.
        case contentProcessed(@Sendable (NWError?) -> Void)
    }
}
