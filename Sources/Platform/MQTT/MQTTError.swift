import CMosquitto
import Glibc

/// The reason a broker can't be used or refused a request.
package struct MQTTError: Error, Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// The broker can't be reached, or the connection was lost; a later attempt may succeed.
        case unreachable
        /// The broker refuses the user, the password, the certificate or this client.
        case refused
        /// One side doesn't trust the other's certificate, or a local certificate file can't be read.
        case security
        /// Another client with the same identifier took the place.
        case takenOver
        /// The broker doesn't allow this topic.
        case notAllowed
        /// The library that speaks with brokers cannot be loaded.
        case missingLibrary
        /// This side closed the connection.
        case closed
        /// The request was invalid or broke the protocol.
        case invalid
    }

    package let kind: Kind
    /// A sentence without its end, for people.
    package let message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    package static let closed = MQTTError(.closed, "The connection was closed")
    static let late = MQTTError(.unreachable, "The broker does not answer")

    /// - Parameter reason: The loader's.
    init(missing reason: String) {
        self.init(.missingLibrary, "Install the package libmosquitto1, which connects to brokers: \(reason)")
    }

    /// Creates an error from the result of a libmosquitto function.
    init(result: Int32) {
        let text =
            result == Int32(MOSQ_ERR_ERRNO.rawValue)
            ? String(cString: strerror(errno)) : String(cString: mosquitto_strerror(result))
        switch result {
        case Int32(MOSQ_ERR_TLS.rawValue), Int32(MOSQ_ERR_TLS_HANDSHAKE.rawValue):
            self.init(.security, "TLS with the broker failed: is its certificate made out to this name and known?")
        case Int32(MOSQ_ERR_INVAL.rawValue), Int32(MOSQ_ERR_MALFORMED_UTF8.rawValue),
            Int32(MOSQ_ERR_PAYLOAD_SIZE.rawValue), Int32(MOSQ_ERR_OVERSIZE_PACKET.rawValue),
            Int32(MOSQ_ERR_NOT_SUPPORTED.rawValue):
            self.init(.invalid, text)
        default: self.init(.unreachable, text)
        }
    }

    /// Creates an error from a broker's reason code (MQTT 5, section 2.4), which is at least 0x80.
    init(reason: Int32) {
        let text = String(cString: mosquitto_reason_string(reason))
        switch UInt32(bitPattern: reason) {
        case MQTT_RC_BAD_USERNAME_OR_PASSWORD.rawValue:
            self.init(.refused, "The broker refused the user name or password")
        case MQTT_RC_NOT_AUTHORIZED.rawValue: self.init(.notAllowed, "The broker does not allow it")
        case MQTT_RC_BANNED.rawValue, MQTT_RC_CLIENTID_NOT_VALID.rawValue, MQTT_RC_BAD_AUTHENTICATION_METHOD.rawValue:
            self.init(.refused, "The broker refused this client: \(text)")
        case MQTT_RC_SESSION_TAKEN_OVER.rawValue:
            self.init(.takenOver, "Another client took the place under the same name")
        case MQTT_RC_TOPIC_NAME_INVALID.rawValue, MQTT_RC_TOPIC_FILTER_INVALID.rawValue,
            MQTT_RC_PACKET_TOO_LARGE.rawValue, MQTT_RC_PROTOCOL_ERROR.rawValue, MQTT_RC_MALFORMED_PACKET.rawValue:
            self.init(.invalid, text)
        default: self.init(.unreachable, text)
        }
    }
}
