public import Dispatch

/// The WebSocket protocol (RFC 6455). Every message is one WebSocket message.
public final class NWProtocolWebSocket: NWProtocol {
    /// The definition of WebSocket.
    public static let definition = NWProtocolDefinition("websocket")

    /// A version of the protocol.
    public enum Version: Hashable, Sendable { case v13 }

    /// The kind of a frame (RFC 6455 §5.2).
    public enum Opcode: UInt8, Hashable, Sendable {
        /// A continuation of a message.
        case cont = 0x0
        /// A text message in UTF-8.
        case text = 0x1
        /// A binary message.
        case binary = 0x2
        /// A close message.
        case close = 0x8
        /// A ping.
        case ping = 0x9
        /// The answer to a ping.
        case pong = 0xA
    }

    /// A reason for closing a WebSocket.
    public enum CloseCode: Hashable, Sendable {
        /// A reason that RFC 6455 §7.4.1 defines.
        public enum Defined: UInt16, Hashable, Sendable {
            /// The purpose of the connection is fulfilled.
            case normalClosure = 1000
            /// The peer goes away.
            case goingAway
            /// The peer received a protocol error.
            case protocolError
            /// The peer received data that it doesn't support.
            case unsupportedData
            /// The close message had no code. Never sent.
            case noStatusReceived = 1005
            /// The connection ended without a close message. Never sent.
            case abnormalClosure
            /// The peer received data that doesn't match the kind of the message.
            case invalidFramePayloadData
            /// The peer received a message that violates its policy.
            case policyViolation
            /// The peer received a message that is too large.
            case messageTooBig
            /// The server didn't negotiate a required extension.
            case mandatoryExtension
            /// The server failed.
            case internalServerError
            /// The TLS handshake failed. Never sent.
            case tlsHandshake = 1015
        }
        /// A reason that the protocol defines.
        case protocolCode(Defined)
        /// A registered reason of an application, 3000...3999.
        case applicationCode(UInt16)
        /// A private reason, 4000...4999.
        case privateCode(UInt16)

        /// Creates a code from its number on the wire.
        package init(number: UInt16) {
            if let defined = Defined(rawValue: number) {
                self = .protocolCode(defined)
            } else {
                self = (3000..<4000).contains(number) ? .applicationCode(number) : .privateCode(number)
            }
        }

        /// The number on the wire.
        package var number: UInt16 {
            switch self {
            case .protocolCode(let code): code.rawValue
            case .applicationCode(let code), .privateCode(let code): code
            }
        }
    }

    /// The options of a WebSocket.
    public final class Options: NWProtocolOptions, @unchecked Sendable {
        private struct Values {
            var autoReplyPing = false
            var maximumMessageSize = 0
            var headers: [(name: String, value: String)] = []
            var subprotocols: [String] = []
        }
        private let storage = Locked(Values())

        /// Creates the default options.
        public override init() { super.init() }
        /// Creates the default options of a version.
        public init(_ version: Version) { super.init() }

        /// A Boolean value that indicates whether pings are answered automatically, without being received.
        public var autoReplyPing: Bool {
            get { storage.read { $0.autoReplyPing } }
            set { storage.write { $0.autoReplyPing = newValue } }
        }
        /// The size of the largest message to receive, in bytes; 0 for 16 MiB. A larger message fails the connection
        /// with `EMSGSIZE`.
        public var maximumMessageSize: Int {
            get { storage.read { $0.maximumMessageSize } }
            set { storage.write { $0.maximumMessageSize = newValue } }
        }
        /// Sets additional headers of the opening request.
        public func setAdditionalHeaders(_ headers: [(name: String, value: String)]) {
            storage.write { $0.headers = headers }
        }
        /// Sets the subprotocols to request, the preferred one first.
        public func setSubprotocols(_ subprotocols: [String]) { storage.write { $0.subprotocols = subprotocols } }

        package var additionalHeaders: [(name: String, value: String)] { storage.read { $0.headers } }
        package var subprotocols: [String] { storage.read { $0.subprotocols } }
    }

    /// The kind of a message, and the reason in a close message.
    public final class Metadata: NWProtocolMetadata, @unchecked Sendable {
        private struct Values {
            var closeCode = CloseCode.protocolCode(.noStatusReceived)
            var pong: (queue: DispatchQueue, handler: @Sendable (NWError?) -> Void)?
        }
        /// The kind of the message.
        public let opcode: Opcode
        private let storage = Locked(Values())

        /// Creates the metadata of a message to send.
        public init(opcode: Opcode) {
            self.opcode = opcode
            super.init(NWProtocolWebSocket.definition)
        }

        /// The reason for closing, in a close message.
        public var closeCode: CloseCode {
            get { storage.read { $0.closeCode } }
            set { storage.write { $0.closeCode = newValue } }
        }
        /// Sets a handler for the answer to a ping. It gets an error if the connection ends first, or if 64 pings are
        /// unanswered.
        public func setPongHandler(_ queue: DispatchQueue, handler: @escaping @Sendable (NWError?) -> Void) {
            storage.write { $0.pong = (queue, handler) }
        }

        package var pongHandler: (queue: DispatchQueue, handler: @Sendable (NWError?) -> Void)? {
            storage.read { $0.pong }
        }
    }
}
