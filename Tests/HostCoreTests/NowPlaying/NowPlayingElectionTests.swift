import Testing

@testable import HostCore

struct NowPlayingElectionTests {

    @Test func theFirstWithContentHasBothRoles() {
        var election = NowPlayingElection()
        election.see("a", of: "A", content: false)
        #expect(election.systemPrimary == nil)
        election.see("a", of: "A")
        #expect(election.isApplicationPrimary("a") && election.isSystemPrimary("a"))
    }

    @Test func whoBeginsToPlayLastIsFirst() {
        var election = NowPlayingElection()
        election.see("a", of: "A", playing: true)
        election.see("b", of: "B", playing: true)
        #expect(election.systemPrimary == "b")
        election.see("a", of: "A", playing: true)
        #expect(election.systemPrimary == "b", "it plays on, and did not begin")
        election.see("a", of: "A")
        election.see("a", of: "A", playing: true)
        #expect(election.systemPrimary == "a")
    }

    @Test func whatIsPausedKeepsItsPlace() {
        var election = NowPlayingElection()
        election.see("a", of: "A", playing: true)
        election.see("b", of: "B", playing: true)
        election.see("b", of: "B")
        #expect(election.systemPrimary == "b", "what was paused is what goes on")
    }

    @Test func thePlaceGoesToThePlayingOneAndThenToTheLatest() {
        var election = NowPlayingElection()
        election.see("a", of: "A", playing: true)
        election.see("b", of: "B")
        election.see("c", of: "C", playing: true)
        election.remove("c")
        #expect(election.systemPrimary == "a", "it plays")
        election.see("a", of: "A")
        election.see("b", of: "B", playing: true)
        election.see("b", of: "B")
        election.see("d", of: "D", playing: true)
        election.see("d", of: "D", content: false)
        #expect(election.systemPrimary == "b", "of equals the one that claimed it last")
        election.remove("b")
        election.remove("a")
        #expect(election.systemPrimary == nil)
    }

    @Test func oneSpeaksForEachApp() {
        var election = NowPlayingElection()
        election.see("a1", of: "A", playing: true)
        election.see("a2", of: "A", playing: true)
        #expect(election.isApplicationPrimary("a1") && !election.isApplicationPrimary("a2"))
        #expect(election.systemPrimary == "a1", "only who speaks for the app stands for it")
        expectDone(election.claimApplication("a2"))
        #expect(!election.isApplicationPrimary("a1"))
        #expect(election.systemPrimary == "a2", "it stands in the app's place")
        election.remove("a2")
        #expect(election.isApplicationPrimary("a1") && election.systemPrimary == "a1")
    }

    @Test func aClaimForTheAppTakesNobodyElsesPlace() {
        var election = NowPlayingElection()
        election.see("a1", of: "A", playing: true)
        election.see("a2", of: "A")
        election.see("b", of: "B", playing: true)
        expectDone(election.claimApplication("a2"))
        #expect(election.systemPrimary == "b")
        expectDone(election.claimSystem("a1"))
        #expect(election.systemPrimary == "a1" && election.isApplicationPrimary("a1"))
    }

    @Test func whoHasNothingToShowGetsNothing() {
        var election = NowPlayingElection()
        election.see("a", of: "A")
        let isApplication = election.claimApplication("x")
        let isSystem = election.claimSystem("x")
        #expect(!isApplication && !isSystem)
        #expect(election.systemPrimary == "a")
    }

    private func expectDone(_ isDone: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(isDone, sourceLocation: sourceLocation)
    }
}

extension NowPlayingElection {
    fileprivate mutating func see(_ id: String, of owner: String, playing: Bool = false, content: Bool = true) {
        update(id, owner: owner, hasContent: content, isActive: playing)
    }
}
