import Testing

@testable import HostExtensions

@Suite struct ChangeSettlingTests {
    private let start = ContinuousClock.Instant.now
    private var settling = ChangeSettling()

    private func time(_ seconds: Double) -> ContinuousClock.Instant { start + .milliseconds(Int(seconds * 1000)) }

    @Test func nothingIsDueUntilSomethingChanges() {
        #expect(settling.deadline == nil && !settling.isUnsettled)
    }

    @Test mutating func aSearchWaitsForQuietButNotForEver() {
        settling.changed(at: time(0))
        #expect(settling.deadline == time(0.3))
        settling.changed(at: time(0.2))
        #expect(settling.deadline == time(0.5))
        for step in 1...40 { settling.changed(at: time(0.2 + Double(step) * 0.1)) }
        #expect(settling.deadline == time(3))
        let counts = settling.searched(isDoubtful: false, at: time(3))
        #expect(counts)
        #expect(settling.deadline == nil)
    }

    @Test mutating func whatIsBrokenCountsOnlyWhenItStaysSo() {
        settling.changed(at: time(0))
        let early = settling.searched(isDoubtful: true, at: time(0.3))
        #expect(!early)
        #expect(settling.deadline == time(2.3) && !settling.isUnsettled)
        // The copying continues: the folder is searched again, and the time limit starts again.
        settling.changed(at: time(1))
        #expect(settling.deadline == time(1.3))
        let again = settling.searched(isDoubtful: true, at: time(1.3))
        #expect(!again)
        #expect(settling.deadline == time(3))
        let confirmed = settling.searched(isDoubtful: true, at: time(3))
        #expect(confirmed)
        #expect(settling.deadline == nil)
    }

    @Test mutating func whatWasDoubtfulAndIsWholeNowIsOver() {
        settling.changed(at: time(0))
        let early = settling.searched(isDoubtful: true, at: time(0.3))
        #expect(!early)
        settling.changed(at: time(1))
        let whole = settling.searched(isDoubtful: false, at: time(1.3))
        #expect(whole)
        #expect(settling.deadline == nil)
    }

    @Test func doubtfulBundlesStayAsTheyWereOrAreLeftOut() {
        func manifest(_ name: String) -> ExtensionManifest {
            ExtensionManifest(
                identifier: name, displayName: name, version: "1", bundlePath: "/e/\(name).mdext",
                executablePath: "/e/\(name).mdext/x", protocols: [])
        }
        func broken(_ name: String) -> ExtensionCatalog.Invalid {
            .init(path: "/e/\(name).mdext", error: .init(file: "/e/\(name).mdext/Info.plist", .missingKey))
        }
        let before = ExtensionCatalog(manifests: [manifest("a"), manifest("b")], invalid: [broken("old")])
        let found = ExtensionCatalog(manifests: [manifest("b")], invalid: [broken("a"), broken("new"), broken("old")])
        #expect(
            found.withoutDoubtful(since: before)
                == ExtensionCatalog(manifests: [manifest("a"), manifest("b")], invalid: [broken("old")]))
        #expect(before.withoutDoubtful(since: before) == nil)
        #expect(ExtensionCatalog(manifests: [manifest("b")]).withoutDoubtful(since: before) == nil)
    }
}
