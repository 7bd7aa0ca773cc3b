import Foundation
import Testing

@testable import ReferenceProtocol
@testable import ReferenceReceiver

struct PairingDeskTests {
    private func desk(_ authorization: ReferenceAnnouncement.Authorization) -> PairingDesk {
        PairingDesk(authorization: authorization, password: "sesame", tokens: ["old"])
    }

    @Test(arguments: [(ReferenceAnnouncement.Authorization.pin4, 4), (.pin6, 6)])
    func theShownCodePairs(_ authorization: ReferenceAnnouncement.Authorization, _ length: Int) throws {
        var desk = desk(authorization)
        #expect(!desk.isAuthorized(token: nil) && desk.isAuthorized(token: "old"))
        let begun = try desk.begin(client: 1, now: 0)
        let code = try #require(begun)
        #expect(code.count == length && code.allSatisfy(\.isNumber))
        guard case .paired(let token) = desk.answer(code, client: 1, now: 1) else {
            Issue.record("not paired")
            return
        }
        #expect(token.count == 32 && desk.isAuthorized(token: token) && !desk.isAuthorized(token: code))
        // A code is good once.
        #expect(desk.answer(code, client: 1, now: 1) != .paired(token: token))
    }

    @Test func threeWrongCodesCloseItForAWhile() throws {
        var desk = desk(.password)
        for attempt in 1...3 {
            #expect(try desk.begin(client: 1, now: 0) == nil, "a password is not shown")
            guard case .failed(let failure) = desk.answer("wrong", client: 1, now: 0) else {
                Issue.record("paired")
                return
            }
            #expect(failure.code == .wrongCode && failure.message.contains("30 seconds") == (attempt == 3))
        }
        #expect(throws: ReferenceFailure(.refused, "Too many wrong codes: wait 18 seconds.")) {
            _ = try desk.begin(client: 2, now: 12.5)
        }
        #expect(try desk.begin(client: 2, now: 30) == nil)
        guard case .paired = desk.answer("sesame", client: 2, now: 31) else {
            Issue.record("not paired")
            return
        }
    }

    /// Clients that try one code after the other, and begin again as soon as they may.
    @Test func aDayOfGuessesIsFewCodes() throws {
        var desk = desk(.pin4)
        var tried = 0
        var closed: [Double] = []
        for second in 0..<86_400 {
            let now = Double(second)
            guard let shown = try? desk.begin(client: second % 7, now: now) else { continue }
            tried += 1
            let wrong = shown == "0000" ? "0001" : "0000"
            guard case .failed(let failure) = desk.answer(wrong, client: second % 7, now: now) else {
                Issue.record("paired")
                return
            }
            if failure.message.hasPrefix("Too many") { closed.append(now) }
        }
        #expect(tried < 100, "\(tried) codes in a day")
        #expect(zip(closed, closed.dropFirst()).allSatisfy { $1 - $0 >= PairingDesk.pause })
        // The right code ends the growth.
        let shown = try desk.begin(client: 1, now: 100_000)
        guard case .paired = desk.answer(try #require(shown), client: 1, now: 100_000) else {
            Issue.record("not paired")
            return
        }
        for attempt in 1...3 {
            _ = try desk.begin(client: 1, now: 100_001)
            guard case .failed(let failure) = desk.answer("", client: 1, now: 100_001) else { return }
            #expect(failure.message.contains("Wait 30 seconds") == (attempt == 3))
        }
    }

    @Test func onlyTheClientThatAskedMayAnswer() throws {
        var desk = desk(.pin4)
        let begun = try desk.begin(client: 1, now: 0)
        let code = try #require(begun)
        guard case .failed = desk.answer(code, client: 2, now: 0) else {
            Issue.record("paired with a stranger")
            return
        }
        #expect(desk.cancel(client: 2) == false)
        #expect(desk.cancel(client: 1) && desk.pendingClient == nil)
    }

    @Test func aKeyPressConfirmsOrRefuses() throws {
        var desk = desk(.confirm)
        #expect(desk.confirm(true) == nil, "nobody asked")
        #expect(try desk.begin(client: 4, now: 0) == nil)
        let refused = desk.confirm(false)
        #expect(refused?.client == 4)
        #expect(refused?.answer == .failed(ReferenceFailure(.refused, "It was refused on the device.")))
        _ = try desk.begin(client: 5, now: 0)
        guard case (5, .paired(let token))? = desk.confirm(true) else {
            Issue.record("not paired")
            return
        }
        #expect(desk.isAuthorized(token: token))
    }

    @Test func pairingsOutliveTheProgram() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "desk-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = PairingStore(file: folder.path + "/demo/tv.json")
        var memory = store.load()
        memory.tokens = ["a", "b"]
        try store.save(memory)
        #expect(store.load() == memory)
        let mode = try FileManager.default.attributesOfItem(atPath: store.file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try Data("{".utf8).write(to: URL(filePath: store.file))
        #expect(store.load().tokens.isEmpty && store.load().id != memory.id)
    }
}
