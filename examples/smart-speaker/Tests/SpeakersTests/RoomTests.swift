import Foundation
import Synchronization
import Testing

@testable import SpeakerServer
@testable import Speakers

@Suite(.timeLimit(.minutes(1)))
struct RoomTests {
    private static let server = URL(filePath: "/")
    private let start = Date(timeIntervalSince1970: 1000)

    @Test func aRoomPlaysThroughItsList() {
        var room = Room(id: "kitchen", room: "Kitchen", server: Self.server, now: start)
        room.apply(.play, at: start)
        room.apply(.volume(0.9), at: start + 10)
        #expect(room.state.position == 10 && room.state.volume == 0.9 && room.state.isPlaying)
        room.apply(.previous, at: start + 20)
        #expect(room.state.title == Room.tracks[2].title && room.state.position == 0)
        room.apply(.next, at: start + 21)
        room.apply(.pause, at: start + 500)
        #expect(room.state.position == Room.tracks[0].duration && !room.state.isPlaying)
    }

    @Test func commandsAreRead() {
        #expect(Room.Command("volume", level: 7) == .volume(1))
        #expect(Room.Command("volume") == nil && Room.Command("dance") == nil && Room.Command("next") == .next)
    }

    @Test func aPushHasTheFormOfTheGateway() throws {
        let state = Room(id: "kitchen", room: "Kitchen", server: Self.server, now: start).state
        let data = try Pusher.payload(.update, state, at: start)
        #expect(data.count < 4096)
        let object = try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]]
        #expect(object?["aps"]?["timestamp"] as? Int == 1000 && object?["aps"]?["event"] as? String == "update")
        #expect((object?["aps"]?["attributes"] as? [String: Any])?["id"] as? String == "kitchen")
    }

    @Test func theServerStartsUpdatesAndStartsAgain() async {
        let pushes = Mutex<[String]>([])
        let isOver = Atomic(false)
        let rooms = Rooms(["Kitchen"], server: Self.server) { event, _, token in
            pushes.withLock { $0.append("\(event) \(token)") }
            return event == .update && isOver.load(ordering: .relaxed) ? 410 : 200
        }
        _ = await rooms.apply(.play, to: "kitchen")
        #expect(pushes.withLock { $0 }.isEmpty)
        await rooms.setStartToken("S")
        _ = await rooms.apply(.next, to: "kitchen")
        #expect(await rooms.setToken("K", of: "kitchen"))
        #expect(await !rooms.setToken("K", of: "attic"))
        _ = await rooms.apply(.pause, to: "kitchen")
        isOver.store(true, ordering: .relaxed)
        // Nothing plays: nothing is started again.
        _ = await rooms.apply(.volume(0.1), to: "kitchen")
        _ = await rooms.apply(.play, to: "kitchen")
        #expect(await rooms.apply(.play, to: "attic") == nil)
        #expect(pushes.withLock { $0 } == ["start S", "update K", "update K", "start S"])
    }
}
