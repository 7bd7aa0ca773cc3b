import Testing

@testable import HostCore

struct StreamMovesTests {
    private static let sink = "mdhost.route-1"
    private static let target = StreamMoves.Target(route: "1", output: sink)
    private static let targets = ["app": target]

    /// A sound server with a sound card, and the process 7 of the app.
    private struct Server {
        var state = ProgramStreams(
            server: 1, streams: [], outputs: ["card", "hdmi", StreamMovesTests.sink], defaultOutput: "card")
        var moves = StreamMoves()
        var now = Duration.zero

        init(_ streams: (UInt32, String, Int32)...) {
            state.streams = streams.map { ProgramStream(id: $0.0, output: $0.1, processID: $0.2) }
        }

        mutating func plan(_ targets: [String: StreamMoves.Target] = StreamMovesTests.targets) -> StreamMoves.Plan {
            moves.plan(state, targets: targets, now: now) { $0.processID == 7 ? "app" : nil }
        }

        /// Carries out what is planned, and lets some time pass.
        mutating func settle(_ targets: [String: StreamMoves.Target] = StreamMovesTests.targets) {
            for _ in 0..<3 { for move in plan(targets).moves { put(move.stream, on: move.output) } }
            now += .seconds(5)
        }

        mutating func put(_ stream: UInt32, on output: String) {
            for index in state.streams.indices where state.streams[index].id == stream {
                state.streams[index].output = output
            }
        }

        /// The sink goes, and the server moves its streams to its default output.
        mutating func lose(_ sink: String) {
            state.outputs.remove(sink)
            for stream in state.streams where stream.output == sink { put(stream.id, on: state.defaultOutput) }
        }

        subscript(stream: UInt32) -> String? { state.streams.first { $0.id == stream }?.output }
    }

    private func expectNothing(
        _ plan: StreamMoves.Plan, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(plan == .init(), comment, sourceLocation: sourceLocation)
    }

    @Test func onlyTheAppsStreamsMoveAndEachGoesBackWhereItWas() {
        var server = Server((1, "card", 7), (2, "hdmi", 7), (3, "card", 8), (4, "hdmi", 8))
        let plan = server.plan()
        #expect(plan.moves.map(\.stream) == [1, 2] && plan.moves.allSatisfy { $0.output == Self.sink })
        for move in plan.moves { server.put(move.stream, on: move.output) }
        server.settle()
        #expect(server[1] == Self.sink && server[2] == Self.sink && server[3] == "card" && server[4] == "hdmi")
        expectNothing(server.plan(), "nothing remains to be done")
        server.settle([:])
        #expect(server[1] == "card" && server[2] == "hdmi" && server[3] == "card" && server[4] == "hdmi")
        #expect(server.moves.records.isEmpty)
    }

    @Test func aNewStreamFollowsAndASinkIsWantedOnlyForStreams() {
        var server = Server((3, "card", 8))
        server.state.outputs.remove(Self.sink)
        expectNothing(server.plan(), "no sink without a stream of the app")
        server.state.streams.append(ProgramStream(id: 5, output: "card", processID: 7))
        let plan = server.plan()
        #expect(plan == .init(moves: [], missing: ["app"]))
        server.state.outputs.insert(Self.sink)
        server.settle()
        #expect(server[5] == Self.sink && server[3] == "card")
    }

    @Test func aServerIsGivenTimeToMove() {
        var server = Server((1, "card", 7))
        let plan = server.plan()
        #expect(plan.moves.count == 1)
        expectNothing(server.plan(), "PipeWire answers first, and moves later")
        server.put(1, on: Self.sink)
        expectNothing(server.plan())
        let back = server.plan([:])
        #expect(back.moves == [.init(stream: 1, output: "card")])
        expectNothing(server.plan([:]))
        #expect(server.moves.outputs == [Self.sink], "its sink is needed yet")
        server.put(1, on: "card")
        expectNothing(server.plan([:]))
        #expect(server.moves.outputs.isEmpty)
    }

    /// PipeWire only promised it, and uses the old output or the default one until then.
    @Test(arguments: ["hdmi", "card"]) func aMoveThatIsShownTooSoonIsNotTakenForAPersons(meanwhile: String) {
        var server = Server((1, "hdmi", 7))
        #expect(server.plan().moves.count == 1)
        server.put(1, on: Self.sink)
        expectNothing(server.plan())
        server.now = .seconds(1)
        server.put(1, on: meanwhile)
        expectNothing(server.plan())
        #expect(server.moves.records.count == 1)
        server.put(1, on: Self.sink)
        expectNothing(server.plan())
        server.settle([:])
        #expect(server[1] == "hdmi" && server.moves.records.isEmpty)
        server.settle(["app": .init(route: "2", output: Self.sink)])
        server.put(1, on: meanwhile)
        #expect(server.plan(["app": .init(route: "2", output: Self.sink)]).moves.isEmpty)
        #expect(server.moves.records.isEmpty, "later, a person moved it")
    }

    @Test func aSinkThatIsLostBeforeItsMoveIsMadeIsMissed() {
        var server = Server((1, "hdmi", 7))
        _ = server.plan()
        server.put(1, on: Self.sink)
        expectNothing(server.plan())
        server.lose(Self.sink)
        #expect(server.plan() == .init(moves: [.init(stream: 1, output: "hdmi")], missing: ["app"]))
    }

    @Test func aRouteThatEndsBeforeItsMoveIsMadeTakesItBack() {
        var server = Server((1, "hdmi", 7))
        _ = server.plan()
        server.put(1, on: Self.sink)
        expectNothing(server.plan())
        server.put(1, on: "hdmi")
        #expect(server.plan([:]).moves == [.init(stream: 1, output: "hdmi")])
    }

    @Test func aPersonsMoveWins() {
        var server = Server((1, "hdmi", 7))
        server.settle()
        server.put(1, on: "card")
        server.settle()
        #expect(server[1] == "card" && server.moves.records.isEmpty)
        server.settle([:])
        #expect(server[1] == "card", "the end of the route changes nothing for it")
        // The next route begins anew.
        server.settle(["app": .init(route: "2", output: Self.sink)])
        #expect(server[1] == Self.sink)
        // A move just before the end of the route isn't undone either.
        server.put(1, on: "hdmi")
        server.settle([:])
        #expect(server[1] == "hdmi")
    }

    @Test func anOutputThatIsGoneIsReplacedByTheDefault() {
        var server = Server((1, "hdmi", 7), (2, "card", 7))
        server.settle()
        server.state.outputs.remove("hdmi")
        // A stream that followed the default output does so again.
        server.state.outputs.insert("headphones")
        server.state.defaultOutput = "headphones"
        server.settle([:])
        #expect(server[1] == "headphones" && server[2] == "headphones")
    }

    @Test func aStreamOfALostSinkGoesHomeAndComesBackWithIt() {
        var server = Server((1, "hdmi", 7))
        server.settle()
        server.lose(Self.sink)
        server.settle()
        #expect(server[1] == "hdmi", "not where the server put it")
        server.state.outputs.insert(Self.sink)
        server.settle()
        #expect(server[1] == Self.sink)
        server.lose(Self.sink)
        server.settle([:])
        #expect(server[1] == "hdmi", "also if the route ends with the sink")
    }

    @Test func anotherDeviceForTheAppKeepsTheOrigin() {
        var server = Server((1, "hdmi", 7))
        server.settle()
        server.state.outputs.insert("mdhost.route-2")
        server.settle(["app": .init(route: "2", output: "mdhost.route-2")])
        #expect(server[1] == "mdhost.route-2")
        server.settle([:])
        #expect(server[1] == "hdmi")
    }

    @Test func aStreamThatTheServerPutThereItselfGoesToTheDefault() {
        var server = Server((1, Self.sink, 7))
        server.settle()
        #expect(server.moves.records.map(\.origin) == [nil])
        server.settle([:])
        #expect(server[1] == "card")
    }

    @Test func aRouteThatReturnsAtOnceKeepsTheOrigin() {
        var server = Server((1, "hdmi", 7))
        server.settle()
        let back = server.plan([:])
        #expect(back.moves.count == 1)
        // The server hasn't moved it back yet.
        expectNothing(server.plan())
        #expect(server[1] == Self.sink)
        server.settle([:])
        #expect(server[1] == "hdmi")
    }

    @Test func aStreamThatCannotMoveIsLeftAlone() {
        var server = Server((1, "card", 7))
        let move = server.plan().moves[0]
        server.moves.failed(move, targets: Self.targets)
        expectNothing(server.plan())
        #expect(server.moves.records.isEmpty)
    }

    /// A daemon died: its sinks are gone, and the server has put the streams on its default output.
    private func survivor(_ output: String = "card") -> Server {
        var server = Server((1, output, 7))
        server.moves = StreamMoves(restoring: [
            MovedStream(server: 1, stream: 1, application: "app", output: Self.sink, origin: "hdmi"),
            MovedStream(server: 1, stream: 9, application: "app", output: Self.sink, origin: nil),
        ])
        return server
    }

    @Test func theNextDaemonMovesThemAgain() {
        var server = survivor()
        server.state.outputs.remove(Self.sink)
        let plan = server.plan()
        #expect(plan == .init(moves: [], missing: ["app"]))
        #expect(server.moves.records.count == 1, "one stream has ended")
        server.state.outputs.insert(Self.sink)
        server.settle()
        #expect(server[1] == Self.sink)
        server.settle([:])
        #expect(server[1] == "hdmi")
    }

    @Test func theNextDaemonMovesThemBackWithoutTheRoute() {
        var server = survivor()
        server.settle([:])
        #expect(server[1] == "hdmi" && server.moves.records.isEmpty)
        var untouched = survivor("speaker")
        untouched.state.outputs.insert("speaker")
        untouched.settle([:])
        #expect(untouched[1] == "speaker", "a person moved it meanwhile")
        untouched = survivor("speaker")
        untouched.state.outputs.insert("speaker")
        untouched.settle()
        #expect(untouched[1] == "speaker")
    }

    @Test func anotherRunOfTheServerHasOtherStreams() {
        var server = survivor()
        server.state.server = 2
        server.settle([:])
        #expect(server[1] == "card" && server.moves.records.isEmpty)
    }

    @Test func aStreamBetweenOutputsIsWaitedFor() {
        var server = Server((1, "hdmi", 7))
        server.settle()
        server.put(1, on: "")
        expectNothing(server.plan())
        #expect(server.moves.records.count == 1)
    }
}
