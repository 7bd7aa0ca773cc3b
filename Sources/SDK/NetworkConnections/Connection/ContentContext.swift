public import DeviceDiscovery

extension NWConnection {
    /// The context of a message: how to send it, or the metadata received with it.
    public final class ContentContext: Sendable {
        /// A name of the program's choice.
        public let identifier: String
        /// A Boolean value that indicates whether this is the last message in its direction.
        public let isFinal: Bool
        /// The protocols' metadata of the message, the uppermost protocol first.
        public let protocolMetadata: [NWProtocolMetadata]

        /// Creates a context.
        ///
        /// - Parameters:
        ///   - identifier: A name of the program's choice.
        ///   - isFinal: `true` if nothing follows. A complete send with it closes the direction.
        ///   - metadata: The protocols' metadata, such as the kind of a WebSocket message.
        public init(identifier: String, isFinal: Bool = false, metadata: [NWProtocolMetadata]? = nil) {
            self.identifier = identifier
            self.isFinal = isFinal
            protocolMetadata = metadata ?? []
        }

        /// Returns the metadata of one protocol; `nil` if there is none.
        public func protocolMetadata(definition: NWProtocolDefinition) -> NWProtocolMetadata? {
            protocolMetadata.first { $0.definition == definition }
        }

        /// The context of a message that others can follow.
        public static let defaultMessage = ContentContext(identifier: "default message")
        /// The context of a part of a stream.
        public static let defaultStream = ContentContext(identifier: "default stream")
        /// The context of the last message.
        public static let finalMessage = ContentContext(identifier: "final message", isFinal: true)
    }

    /// The report that a sender gets.
    public enum SendCompletion: Sendable {
        /// No report, for content that may be sent twice without harm.
        case idempotent
        /// A closure that runs on the connection's queue after the system has accepted the content, or with the error
        /// if it hasn't.
        case contentProcessed(@Sendable (NWError?) -> Void)
    }
}
