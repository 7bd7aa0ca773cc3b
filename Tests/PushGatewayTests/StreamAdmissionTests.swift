import ConnectionLimits
import Testing

@testable import PushGateway

struct StreamAdmissionTests {
    @Test func oneStreamOfAConnectionNeedsNoPlace() throws {
        let shared = ConnectionLimit(total: 0, perPeer: 100)
        let connection = StreamAdmission(shared, peer: "a")
        let leave = try #require(connection.admit())
        #expect(connection.admit() == nil)
        leave()
        #expect(connection.admit() != nil)
    }

    @Test func theOthersShareThePlacesUntilAPushIsAccepted() throws {
        let shared = ConnectionLimit(total: 2, perPeer: 100)
        let connection = StreamAdmission(shared, peer: "a")
        let places = (0..<3).compactMap { _ in connection.admit() }
        #expect(places.count == 3 && shared.count == 2)
        #expect(connection.admit() == nil)
        connection.prove()
        #expect((0..<100).compactMap { _ in connection.admit() }.count == 100)
        for leave in places { leave() }
        #expect(shared.count == 0)
    }
}
