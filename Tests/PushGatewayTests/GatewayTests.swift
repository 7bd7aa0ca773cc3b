import Crypto
import Foundation
import HostInterface
import Logging
import Synchronization
import Testing

@testable import PushGateway

@Suite(.timeLimit(.minutes(1)))
struct GatewayTests {
    /// Records pushes, and gives scripted answers.
    private actor Deliveries: PushDelivery {
        private(set) var payloads: [[UInt8]] = []
        private var outcome: Result<PushOutcome, HostError> = .success(.accepted)
        private var holds = false
        private var held: [CheckedContinuation<Void, Never>] = []
        private var arrivals: [(count: Int, CheckedContinuation<Void, Never>)] = []
        private var begun = 0

        func answer(_ outcome: Result<PushOutcome, HostError>) { self.outcome = outcome }
        func hold() { holds = true }
        func letGo() {
            holds = false
            held.forEach { $0.resume() }
            held = []
        }

        func begun(_ count: Int) async {
            if begun >= count { return }
            await withCheckedContinuation { arrivals.append((count, $0)) }
        }

        func close() {}

        func deliver(_ push: PushRequest) async throws -> PushOutcome {
            begun += 1
            let ready = arrivals.filter { $0.count <= begun }
            arrivals.removeAll { $0.count <= begun }
            for (_, continuation) in ready { continuation.resume() }
            if holds { await withCheckedContinuation { held.append($0) } }
            payloads.append(push.payload)
            return try outcome.get()
        }
    }

    private let key = P256.Signing.PrivateKey()
    private let deliveries = Deliveries()

    private func gateway(keys: [ProviderKey]? = nil) -> Gateway {
        let keys =
            keys ?? [.init(id: "KEY", team: "TEAM", publicKey: key.publicKey.pemRepresentation, created: 0)]
        return Gateway(
            delivery: deliveries, keys: { () throws(HostError) in keys }, now: { 10_000 },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func fields(issuedAt: Int64 = 10_000, team: String = "TEAM") throws -> [String: String] {
        [
            "authorization": "bearer "
                + (try ProviderToken.sign(
                    keyIdentifier: "KEY", teamIdentifier: team, issuedAt: issuedAt, with: key)),
            "apns-topic": "org.example.push-type.nowplaying", "apns-push-type": "nowplaying",
        ]
    }

    private func post(_ gateway: Gateway, _ fields: [String: String], token: String = "00", payload: [UInt8] = [1])
        -> Task<PushAnswer, Never>
    {
        gateway.answer(method: "POST", path: "/3/device/" + token, fields: fields, payload: payload)
    }

    @Test func outcomesBecomeAnswers() async throws {
        let gateway = gateway()
        let fields = try fields()
        let expected: [(Result<PushOutcome, HostError>, Int, String)] = [
            (.success(.accepted), 200, ""), (.success(.superseded), 200, ""),
            (.success(.badToken), 400, "BadDeviceToken"), (.success(.wrongTopic), 400, "DeviceTokenNotForTopic"),
            (.success(.unregistered(since: 7)), 410, "7000"), (.success(.badPayload("No.")), 400, "No."),
            (.failure(HostError(.storageFailed, "Full.")), 503, "ServiceUnavailable"),
        ]
        for (outcome, status, word) in expected {
            await deliveries.answer(outcome)
            let answer = await post(gateway, fields).value
            let isAsSaid = word.isEmpty ? answer.body.isEmpty : answer.body.contains(word)
            #expect(answer.status == status && isAsSaid, "\(outcome)")
            #expect(answer.retryAfter == (status == 503 ? 1 : nil))
            #expect(UUID(uuidString: answer.identifier) != nil)
        }
    }

    @Test func onlyThoseWithAKeyMayPush() async throws {
        let gateway = gateway()
        func reason(_ fields: [String: String]) async -> String { await post(gateway, fields).value.body }
        #expect(await reason([:]).contains("MissingProviderToken"))
        #expect(try await reason(fields(issuedAt: 1)).contains("ExpiredProviderToken"))
        #expect(try await reason(fields(team: "OTHER")).contains("InvalidProviderToken"))
        #expect(try await post(self.gateway(keys: []), fields()).value.body.contains("InvalidProviderToken"))
        #expect(await deliveries.payloads.isEmpty)
    }

    @Test func whoSendsRefusedTokensAgainAndAgainHasToWait() async throws {
        let gateway = gateway()
        let (good, bad) = (try fields(), try fields(team: "OTHER"))
        func send(_ fields: [String: String], from peer: String) async -> PushAnswer {
            await gateway.answer(method: "POST", path: "/3/device/00", fields: fields, payload: [1], peer: peer).value
        }
        #expect(await send(good, from: "10.0.0.1").status == 200)
        var statuses: [Int] = []
        for _ in 0..<20 { statuses.append(await send(bad, from: "10.0.0.1").status) }
        #expect(statuses == Array(repeating: 403, count: 11) + Array(repeating: 429, count: 9))
        let late = await send(bad, from: "10.0.0.1")
        #expect(late.body.contains("TooManyRequests") && late.retryAfter == 1)
        // Others, and a token that is known to be good, are not delayed.
        #expect(await send(bad, from: "10.0.0.2").status == 403)
        #expect(await send(good, from: "10.0.0.1").status == 200)
    }

    @Test func aRemovedKeyHoldsNoMoreFromThenOn() async throws {
        let known = Known([.init(id: "KEY", team: "TEAM", publicKey: key.publicKey.pemRepresentation, created: 0)])
        let gateway = Gateway(
            delivery: deliveries, keys: { () throws(HostError) in known.keys }, now: { 10_000 },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let fields = try fields()
        #expect(await post(gateway, fields).value.status == 200)
        known.keys = []
        #expect(await post(gateway, fields).value.body.contains("InvalidProviderToken"))
    }

    /// Keys that may be taken away.
    private final class Known: Sendable {
        private let state: Mutex<[ProviderKey]>
        init(_ keys: [ProviderKey]) { state = Mutex(keys) }
        var keys: [ProviderKey] {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    @Test func pushesToOneTokenKeepTheirOrderAndOthersPassThem() async throws {
        let gateway = gateway()
        let fields = try fields()
        await deliveries.hold()
        let tasks = (1...20).map { post(gateway, fields, payload: [UInt8($0)]) }
        let other = post(gateway, fields, token: "01", payload: [100])
        await deliveries.begun(2)
        await deliveries.letGo()
        for task in tasks + [other] { #expect(await task.value.status == 200) }
        #expect(await deliveries.payloads.filter { $0 != [100] } == (1...20).map { [UInt8($0)] })
    }

    @Test func whatIsTooLateIsNotDelivered() async throws {
        var fields = try fields()
        fields["apns-expiration"] = "9999"
        fields["apns-id"] = "0ABCDEF0-0000-4000-8000-000000000000"
        let answer = await post(gateway(), fields).value
        #expect(answer == PushAnswer(status: 200, identifier: "0abcdef0-0000-4000-8000-000000000000"))
        #expect(await deliveries.payloads.isEmpty)
    }

    @Test func keysAreMadeListedAndRemoved() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-keys-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keys = GatewayKeys(folder: folder)
        #expect(try keys.all().isEmpty)
        let (one, two) = (try keys.make(now: 1), try keys.make(now: 2))
        #expect(one.team == two.team && one.id != two.id && one.id.count == 10)
        let path = keys.privateKeyPath(one.id)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let signer = try P256.Signing.PrivateKey(pemRepresentation: String(contentsOfFile: path, encoding: .utf8))
        #expect(signer.publicKey.pemRepresentation == one.publicKey)
        try keys.remove(one.id)
        #expect(try keys.all() == [two])
        #expect(throws: HostError.self) { try keys.remove(one.id) }
    }
}
