/// A connection to a receiver as a value: numbered requests in order, and authentication with the password.
///
/// The owner passes in events and performs the returned actions, in order. Only one request is pending at a time,
/// because some receivers lose the second of two that arrive together.
package struct RTSPConnectionMachine: Sendable {
    package typealias RequestID = UInt64

    package enum Action: Sendable, Hashable {
        case send([UInt8])
        case complete(RequestID, Result<RTSPResponse, AirPlayError>)
        /// Restart the timer for an answer, or stop it.
        case expectAnswer(Bool)
        /// The connection is reversed: from these bytes on the receiver sends requests. Only the end follows.
        case switched([UInt8])
        /// Close the connection. Nothing follows.
        case close(AirPlayError)
    }

    private struct Pending: Sendable, Hashable {
        let id: RequestID
        let request: RTSPRequest
        /// A Boolean value that indicates whether the request had a proof of the password.
        var isProved = false
    }

    private let password: String?
    private var headers: RTSPHeaders
    private let clientNonce: String
    private var parser: RTSPParser<RTSPResponse>
    private var digest: DigestAuthentication?
    private var queue: [Pending] = []
    private var isUnderWay = false
    private var sequenceNumber = 0
    private var ending: AirPlayError?
    private var isSwitched = false

    /// Creates a connection.
    ///
    /// - Parameters:
    ///   - password: The password for challenges; `nil` for none.
    ///   - headers: The fields for every request that lacks them.
    ///   - clientNonce: Random text for receivers that require it.
    package init(password: String?, headers: RTSPHeaders, clientNonce: String, limits: RTSPLimits = RTSPLimits()) {
        self.password = password
        self.headers = headers
        self.clientNonce = clientNonce
        parser = RTSPParser(limits: limits)
    }

    package var isClosed: Bool { ending != nil }

    /// Adds fields to all later requests, and possibly to waiting ones.
    package mutating func append(_ fields: RTSPHeaders) {
        for field in fields.fields { headers[field.name] = field.value }
    }

    /// Asks; completes with any answer other than 401.
    package mutating func submit(_ id: RequestID, _ request: RTSPRequest) -> [Action] {
        if let ending { return [.complete(id, .failure(ending))] }
        if isSwitched { return [.complete(id, .failure(Self.isTheirs))] }
        queue.append(Pending(id: id, request: request))
        return isUnderWay ? [] : sendFirst()
    }

    /// Processes bytes that arrived. Bytes after the reversal are ignored.
    package mutating func received(_ bytes: some Collection<UInt8>) -> [Action] {
        guard !isClosed, !isSwitched else { return [] }
        parser.append(bytes)
        var actions: [Action] = []
        do throws(AirPlayError) {
            while !isClosed, !isSwitched, let response = try parser.next() { actions += try answered(response) }
        } catch {
            actions += closed(error)
        }
        return actions
    }

    /// The answer did not come in time.
    package mutating func timedOut() -> [Action] {
        guard !isClosed, isUnderWay, let first = queue.first else { return [] }
        return closed(.timedOut("its answer to \(first.request.method)"))
    }

    /// Processes unreadable input, which ends the connection.
    package mutating func broken(_ error: AirPlayError) -> [Action] { isClosed ? [] : closed(error) }

    /// The transport ended.
    package mutating func disconnected(_ reason: String) -> [Action] {
        isClosed ? [] : closed(.disconnected(reason))
    }

    private mutating func sendFirst() -> [Action] {
        guard !queue.isEmpty else {
            isUnderWay = false
            return [.expectAnswer(false)]
        }
        isUnderWay = true
        sequenceNumber += 1
        var request = queue[0].request
        var fields: RTSPHeaders = ["CSeq": String(sequenceNumber)]
        for field in headers.fields where request.headers[field.name] == nil { fields.append(field.name, field.value) }
        for field in request.headers.fields { fields.append(field.name, field.value) }
        if let password, digest != nil {
            fields["Authorization"] = digest?.authorization(
                method: request.method, uri: request.uri, user: "iTunes", password: password, clientNonce: clientNonce)
            queue[0].isProved = true
        }
        request.headers = fields
        return [.send(request.encoded), .expectAnswer(true)]
    }

    private mutating func answered(_ response: RTSPResponse) throws(AirPlayError) -> [Action] {
        guard isUnderWay, let asked = queue.first else { throw .malformed("an answer nobody asked for") }
        if let number = response.sequenceNumber, number != sequenceNumber {
            throw .malformed("an answer to request \(number) instead of \(sequenceNumber)")
        }
        if response.status == 401 {
            if let retry = try proof(for: asked, response) { return retry }
        }
        queue.removeFirst()
        if response.status == 101, asked.request.headers["Upgrade"] != nil { return switched(asked, response) }
        let outcome: Result<RTSPResponse, AirPlayError> =
            response.status == 401 ? .failure(.wrongPassword(given: password != nil)) : .success(response)
        return [.complete(asked.id, outcome)] + sendFirst()
    }

    /// Returns the request with a proof; `nil` if there is none. A challenge after a proof is a new nonce only if it
    /// says so.
    private mutating func proof(for asked: Pending, _ response: RTSPResponse) throws(AirPlayError) -> [Action]? {
        guard password != nil, let challenge = response.headers["WWW-Authenticate"] else { return nil }
        let new = try DigestAuthentication(challenge: challenge)
        let isStale = challenge.lowercased().contains("stale=true") && new.nonce != digest?.nonce
        guard !asked.isProved || isStale else { return nil }
        digest = new
        return sendFirst()
    }

    private mutating func switched(_ asked: Pending, _ response: RTSPResponse) -> [Action] {
        isSwitched = true
        let unanswered = queue
        queue = []
        isUnderWay = false
        return [.expectAnswer(false), .complete(asked.id, .success(response))]
            + unanswered.map { .complete($0.id, .failure(Self.isTheirs)) } + [.switched(parser.takeRest())]
    }

    private static let isTheirs = AirPlayError.disconnected("it is the receiver that asks on it")

    private mutating func closed(_ error: AirPlayError) -> [Action] {
        ending = error
        let unanswered = queue
        queue = []
        isUnderWay = false
        return [.expectAnswer(false)] + unanswered.map { .complete($0.id, .failure(error)) } + [.close(error)]
    }
}
