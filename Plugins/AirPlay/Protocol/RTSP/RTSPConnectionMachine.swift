/// One connection to a receiver as a value: requests numbered and in order, and the password proved where it is asked for.
///
/// The owner feeds it what happens and performs the actions it returns, in order. One request is on its way at a time:
/// some receivers lose the second of two that arrive together.
package struct RTSPConnectionMachine: Sendable {
    package typealias RequestID = UInt64

    package enum Action: Sendable, Hashable {
        case send([UInt8])
        case complete(RequestID, Result<RTSPResponse, AirPlayError>)
        /// Start the clock anew for an answer, or stop it.
        case expectAnswer(Bool)
        /// From these bytes on the receiver asks on this connection, as it was asked to. Nothing follows but its end.
        case switched([UInt8])
        /// The connection is over: close it. Nothing follows.
        case close(AirPlayError)
    }

    private struct Pending: Sendable, Hashable {
        let id: RequestID
        let request: RTSPRequest
        /// Whether it went out with a proof of the password.
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

    /// - Parameters:
    ///   - password: What a challenge is answered with; `nil` for none.
    ///   - headers: Sent with every request that has none of that name itself.
    ///   - clientNonce: Random text for receivers that want one.
    package init(password: String?, headers: RTSPHeaders, clientNonce: String, limits: RTSPLimits = RTSPLimits()) {
        self.password = password
        self.headers = headers
        self.clientNonce = clientNonce
        parser = RTSPParser(limits: limits)
    }

    package var isClosed: Bool { ending != nil }

    /// Sends these with every request from now on, too; one that has been asked for already may have them or not.
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

    /// Bytes arrived; none of those that come after the connection was switched is for this.
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

    /// What arrived cannot be read: nothing can follow.
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

    /// The request again with a proof; `nil` where there is none to give. A challenge that comes after a proof is a new
    /// nonce only if it says so.
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
