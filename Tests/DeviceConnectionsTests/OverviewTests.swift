import DeviceConnections
import Foundation
import Testing

/// The example in the overview of the module.
@Suite(.timeLimit(.minutes(1)))
struct OverviewTests {
    @Test func theOverviewShowsThisMachine() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let source = try String(contentsOf: tests.appending(path: "KitchenMachine.swift"), encoding: .utf8)
        let overview = try String(
            contentsOf: tests.appending(
                path: "../../Sources/SDK/DeviceConnections/DeviceConnections.docc/DeviceConnections.md"),
            encoding: .utf8)
        #expect(overview.contains(source.drop { $0 != "\n" }.trimmingPrefix("\n\n")))
    }

    @Test func itAsksAndHears() async throws {
        let server = try await LoopbackServer { "!volume 30\n" + $0 }
        let connection = try await DeviceConnection.open(anyOf: [server.endpoint]) { KitchenMachine() }
        #expect(try await connection.request("PLAY http://192.0.2.9/song.mp3") == "PLAY http://192.0.2.9/song.mp3")
        var news = connection.notifications.makeAsyncIterator()
        #expect(await news.next() == "volume 30")
        await connection.close()
        try await server.stop()
    }
}
