import Foundation
public import JSONValues

/// A request to a device, or to the app that runs on it.
public struct CastRequest: Sendable, Hashable {
    enum Answer: Hashable {
        case none
        case receiverStatus
        /// A receiver status with this app, whenever it arrives.
        case launched(String)
        case mediaStatus
        /// A media status that names a media session.
        case loaded
        case groupStatus
        /// The apps that the device has.
        case availability
        /// The answer to the offer with this number, which has no other number.
        case offered(Int)
    }

    public let destination: String
    let namespace: String
    let payload: Payload
    let answer: Answer

    enum Payload: Hashable {
        case fields([String: JSON])
        /// A message of an app, without a number.
        case message(CastMessage.Payload)
    }

    private init(_ type: String, _ fields: [String: JSON] = [:], to destination: String, _ answer: Answer) {
        self.destination = destination
        namespace =
            switch answer {
            case .none: CastNames.connection
            case .receiverStatus, .launched, .availability: CastNames.receiver
            case .mediaStatus, .loaded: CastNames.media
            case .groupStatus: CastNames.multizone
            case .offered: CastNames.streaming
            }
        payload = .fields(fields.merging(["type": .string(type)]) { $1 })
        self.answer = answer
    }

    private init(_ message: CastMessage.Payload, namespace: String, to destination: String) {
        self.destination = destination
        self.namespace = namespace
        payload = .message(message)
        answer = .none
    }

    /// A message to an app in its own namespace. It answers nothing that is known here.
    public static func message(
        _ payload: CastMessage.Payload, in namespace: String, to application: CastApplication
    ) -> CastRequest {
        CastRequest(payload, namespace: namespace, to: application.transportID)
    }

    /// Asks which of some apps the device can start.
    public static func availability(of applications: [String]) -> CastRequest {
        CastRequest(
            "GET_APP_AVAILABILITY", ["appId": .array(applications.map { .string($0) })], to: CastNames.platform,
            .availability)
    }

    /// Offers streams to an app.
    ///
    /// - Parameters:
    ///   - fields: The fields of the message, apart from its type.
    ///   - number: The offer's own number, which is one of the fields.
    public static func offer(_ fields: [String: JSON], number: Int, to application: CastApplication) -> CastRequest {
        CastRequest("OFFER", fields, to: application.transportID, .offered(number))
    }

    /// Asks for the devices of a group.
    public static let groupStatus = CastRequest("GET_STATUS", to: CastNames.platform, .groupStatus)

    /// Connects to an app. It answers nothing.
    public static func connect(to transport: String) -> CastRequest {
        CastRequest("CONNECT", ["origin": [:], "userAgent": "mdhost"], to: transport, .none)
    }

    /// Asks for the apps that run and the volume.
    public static let receiverStatus = CastRequest("GET_STATUS", to: CastNames.platform, .receiverStatus)

    public static func launch(_ app: String) -> CastRequest {
        CastRequest("LAUNCH", ["appId": .string(app)], to: CastNames.platform, .launched(app))
    }

    public static func stopApplication(_ session: String) -> CastRequest {
        CastRequest("STOP", ["sessionId": .string(session)], to: CastNames.platform, .receiverStatus)
    }

    /// - Parameter level: `0...1`.
    public static func setVolume(_ level: Double) -> CastRequest {
        CastRequest("SET_VOLUME", ["volume": ["level": .number(level)]], to: CastNames.platform, .receiverStatus)
    }

    public static func setMuted(_ isMuted: Bool) -> CastRequest {
        CastRequest("SET_VOLUME", ["volume": ["muted": .bool(isMuted)]], to: CastNames.platform, .receiverStatus)
    }

    public static func mediaStatus(of transport: String) -> CastRequest {
        CastRequest("GET_STATUS", to: transport, .mediaStatus)
    }

    public static func load(_ fields: [String: JSON], on application: CastApplication) -> CastRequest {
        let fields = fields.merging(["sessionId": .string(application.sessionID)]) { $1 }
        return CastRequest("LOAD", fields, to: application.transportID, .loaded)
    }

    /// A command about the media that plays, such as `PAUSE`.
    public static func media(
        _ command: String, _ fields: [String: JSON] = [:], session: Int, on application: CastApplication
    ) -> CastRequest {
        let fields = fields.merging(["mediaSessionId": .number(Double(session))]) { $1 }
        return CastRequest(command, fields, to: application.transportID, .mediaStatus)
    }

    /// The time limit for the answer. A device loads the app from the internet, and the first bytes of media before it
    /// answers `LOAD`.
    var limit: Duration {
        switch answer {
        case .none, .receiverStatus, .mediaStatus, .groupStatus, .availability, .offered: .seconds(10)
        case .launched: .seconds(30)
        case .loaded: .seconds(40)
        }
    }

    /// Returns the message, with its length before it.
    ///
    /// - Returns: `nil` if it is too long.
    func encoded(id: UInt64, from sender: String) -> [UInt8]? {
        switch payload {
        case .fields(let fields):
            let numbered = answer == .none ? fields : fields.merging(["requestId": .number(Double(id))]) { $1 }
            return Self.encode(.object(numbered), namespace: namespace, from: sender, to: destination)
        case .message(let content):
            return CastFrames.encode(CastMessage(from: sender, to: destination, namespace: namespace, payload: content))
        }
    }

    static func encode(_ payload: JSON, namespace: String, from sender: String, to destination: String) -> [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let text = try? encoder.encode(payload) else { return nil }
        let content = CastMessage.Payload.text(String(decoding: text, as: UTF8.self))
        return CastFrames.encode(CastMessage(from: sender, to: destination, namespace: namespace, payload: content))
    }
}

/// A message that a device sends by itself or to every sender.
public enum CastNotification: Sendable, Hashable {
    case receiver(CastReceiverStatus)
    /// The payload of a `MEDIA_STATUS`, and the app that sent it.
    case media(JSON, transport: String)
    /// The payload of a message about the devices of a group.
    case group(JSON)
    /// A message of an app in its own namespace.
    case message(CastMessage.Payload, namespace: String, transport: String)
    /// An app has ended.
    case closed(transport: String)
}
