import Foundation
import HostInterface
import Testing

@testable import HostCore

struct DiscoveryLeasesTests {
    private func expect(
        _ leases: inout DiscoveryLeases, _ ids: [String], _ isComplete: Bool, _ news: [String: Bool?],
        at location: SourceLocation = #_sourceLocation
    ) {
        let told = leases.news(for: ids) { _ in isComplete }
        #expect(told == news, sourceLocation: location)
    }

    @Test func tellsEachChangeOnce() {
        var leases = DiscoveryLeases()
        let taken = (leases.take("a"), leases.take("a"), leases.take("b"))
        #expect(taken == (true, false, true))
        // Neither has a list yet.
        expect(&leases, ["a", "b"], true, [:])
        leases.list("a")
        expect(&leases, ["a", "b"], false, ["a": false])
        expect(&leases, ["a", "b"], false, [:])
        expect(&leases, ["a"], true, ["a": true])
        let ended = (leases.end("a"), leases.end("a"))
        #expect(ended == (true, false) && !leases.isEmpty)
        expect(&leases, ["a"], true, ["a": nil])
        expect(&leases, ["a"], true, [:])
        let isLast = leases.end("b")
        #expect(isLast && leases.isEmpty)
    }
}

@Suite(.timeLimit(.minutes(1))) struct DeviceCredentialsTests {
    @Test func aMissingCredentialIsWrittenOnlyWhereThereMayBeOne() async {
        var credentials = DeviceCredentials()
        var numbers: [Int] = []
        func begin(_ secret: [UInt8]?, _ id: String) -> Task<Void, Never>? {
            var before: Task<Void, Never>?
            credentials.begin(secret.map { .init($0) }, for: id) { number, earlier in
                numbers.append(number)
                before = earlier
                return Task {}
            }
            return before
        }
        _ = begin(nil, "a")
        #expect(numbers.isEmpty && credentials.write(of: "a") == nil)
        #expect(begin([1], "a") == nil && numbers == [1])
        // The write under way may store one.
        let first = credentials.write(of: "a")
        #expect(begin(nil, "a") == first && numbers == [1, 2])
        credentials.ended(1, of: "a")
        #expect(credentials.write(of: "a") != nil)
        credentials.ended(2, of: "a")
        #expect(credentials.write(of: "a") == nil)
        credentials.stored(.init([1]), for: "a")
        _ = begin(nil, "a")
        #expect(credentials.has("a") && numbers == [1, 2, 3])
        credentials.erased("a")
        #expect(!credentials.has("a"))
    }
}

@Suite(.timeLimit(.minutes(1))) struct DeviceChecksTests {
    @Test func anEndedRoundNamesItsLeaseOnce() async {
        var checks = DeviceChecks()
        let timer = Task<Void, Never> { while !Task.isCancelled { await Task.yield() } }
        checks.begin(round: 1, for: "lease", timer)
        let ended = (checks.end(round: 1), checks.end(round: 1))
        #expect(ended.0 == "lease" && ended.1 == nil)
        await timer.value
    }

    @Test func theEndOfADeviceEndsItsCheckAndRecall() async {
        var checks = DeviceChecks()
        let tasks = (0..<3).map { _ in Task<Void, Never> { while !Task.isCancelled { await Task.yield() } } }
        checks.begin("a", tasks[0])
        checks.recall("a", tasks[1])
        checks.begin("b", tasks[2])
        checks.end("a")
        await tasks[0].value
        await tasks[1].value
        #expect(!checks.isChecking("a") && !checks.isRecalling("a") && checks.isChecking("b"))
        checks.endAll()
        await tasks[2].value
        #expect(!checks.isChecking("b"))
    }
}

@Suite(.timeLimit(.minutes(1))) struct SightingQueueTests {
    private func sighting(_ id: String) -> CachedDevice {
        CachedDevice(
            description: DeviceDescription(
                id: id, name: id, capabilities: [], type: "tv", volumeControl: .absolute, canMute: true,
                canGroup: false, supportsSimultaneousSessions: false, endpoints: [], txt: [:]),
            extensionIdentifier: "one", lastSeen: .now)
    }

    @Test func aBurstIsOneWrite() {
        var queue = SightingQueue()
        var begun = 0
        for id in ["a", "b", "a"] {
            queue.append(sighting(id)) {
                begun += 1; return Task {}
            }
        }
        #expect(begun == 1)
        let batch = queue.next()
        let fresh = queue.fresh(batch, on: "home")
        #expect(batch.count == 3 && Set(fresh.map(\.description.id)) == ["a", "b"])
        let again = queue.fresh(batch, on: "home")
        #expect(again.isEmpty, "they are stored")
        queue.append(sighting("c")) {
            begun += 1; return Task {}
        }
        #expect(begun == 1, "the writes still run")
        queue.forget("c")
        let rest = queue.next()
        #expect(rest.isEmpty && queue.writing == nil)
        let lost = queue.fresh(batch, on: "home")
        #expect(lost.count == 2, "the store may have lost them")
        queue.append(sighting("c")) {
            begun += 1; return Task {}
        }
        #expect(begun == 2)
    }
}
