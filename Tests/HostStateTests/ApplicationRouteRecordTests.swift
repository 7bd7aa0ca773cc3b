import Foundation
import HostCore
import HostInterface
import Testing

@testable import HostState

@Suite(.timeLimit(.minutes(1))) struct ApplicationRouteRecordTests {
    private let state = TemporaryState()

    private func route(_ application: String) -> ApplicationRoute {
        ApplicationRoute(
            application: application, applicationName: "App", device: device("Room").description, entryID: "entry",
            name: "My Room", extensionIdentifier: "org.example", protocolIdentifier: "org.example.protocol",
            protocolName: "Example", features: [.urlPlayback, .appLaunch])
    }

    @Test func routesSurviveInTheOrderTheyBeganUntilTheyAreDropped() async throws {
        let store = try state.open()
        let first = route("one")
        let second = route("two")
        try await store.keep(first)
        try await store.keep(second)
        try store.close()

        let again = try state.open()
        #expect(try await again.applicationRoutes() == [first, second])
        try await again.dropApplicationRoute(id: first.id)
        try await again.dropApplicationRoute(id: "nobody")
        #expect(try await again.applicationRoutes() == [second])
        try again.close()
    }

    @Test func movedStreamsAreReplacedAsAWhole() async throws {
        let store = try state.open()
        #expect(try await store.movedStreams().isEmpty)
        let streams = [
            MovedStream(server: .max, stream: 3, application: "one", output: "mdhost.route-1", origin: "hdmi"),
            MovedStream(server: .max, stream: 4, application: "one", output: "mdhost.route-1", origin: nil),
        ]
        try await store.keep(streams)
        try store.close()

        let again = try state.open()
        #expect(try await again.movedStreams() == streams)
        try await again.keep([streams[1]])
        #expect(try await again.movedStreams() == [streams[1]])
        try again.close()
    }
}
