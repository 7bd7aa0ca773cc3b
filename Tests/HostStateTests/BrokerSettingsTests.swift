import Foundation
import HostCore
import HostInterface
import Testing

@testable import HostState

@Suite(.timeLimit(.minutes(1)))
struct BrokerSettingsTests {
    private let state = TemporaryState()

    @Test func theBrokerSurvivesReopeningAndItsPasswordGoesWithIt() async throws {
        let settings = BrokerSettings(
            address: "mqtts://living@broker.example:8883", password: "a word to be found", authority: "/ca.pem")
        let store = try state.open(now: Date())
        #expect(try await store.brokerSettings() == nil)
        try await store.keep(settings)
        try store.close()
        let again = try state.open(now: Date())
        #expect(try await again.brokerSettings() == settings)
        try await again.keep(nil)
        #expect(try await again.brokerSettings() == nil)
        try again.close()
        for path in [state.file.path, state.file.path + "-wal"] {
            let bytes = (try? Data(contentsOf: URL(filePath: path))) ?? Data()
            #expect(bytes.range(of: Data("a word to be found".utf8)) == nil)
        }
    }
}
