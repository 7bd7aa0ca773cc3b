import Foundation
import Hummingbird
import Speakers

/// The server: rooms over HTTP, and pushes of their changes.
@main
enum SpeakerServer {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard let settingsPath = words.first, words.count <= 2, let port = Int(words.dropFirst().first ?? "8765") else {
            print("usage: SpeakerServer PUSH-SETTINGS.json [PORT]")
            exit(64)
        }
        let settings = try JSONDecoder().decode(
            Pusher.Settings.self, from: Data(contentsOf: URL(filePath: settingsPath)))
        let pusher = try Pusher(settings)
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { exit(64) }
        let rooms = Rooms(["Kitchen", "Living Room"], server: url) { event, state, token in
            do {
                let (status, reason) = try await pusher.push(event, state, to: token, at: Date())
                if status != 200 { print("\(event.rawValue) of \(state.id): \(status) \(reason)") }
                return status
            } catch {
                print("\(event.rawValue) of \(state.id): \(error)")
                return 0
            }
        }
        let application = Application(
            router: router(rooms), configuration: .init(address: .hostname("127.0.0.1", port: port)))
        try await application.runService()
        try await pusher.close()
    }

    static func router(_ rooms: Rooms) -> Router<BasicRequestContext> {
        let router = Router()
        router.put("token") { request, _ in
            await rooms.setStartToken(String(buffer: try await request.body.collect(upTo: 1024)))
            return HTTPResponse.Status.ok
        }
        router.get("rooms/:id") { _, context in
            try answer(await rooms.state(try context.parameters.require("id")))
        }
        router.put("rooms/:id/token") { request, context in
            let token = String(buffer: try await request.body.collect(upTo: 1024))
            let isKnown = await rooms.setToken(token, of: try context.parameters.require("id"))
            return isKnown ? HTTPResponse.Status.ok : .notFound
        }
        router.post("rooms/:id/:command") { request, context in
            let level = request.uri.queryParameters["level"].flatMap { Float($0) }
            guard let command = Room.Command(try context.parameters.require("command"), level: level) else {
                throw HTTPError(.badRequest)
            }
            return try answer(await rooms.apply(command, to: try context.parameters.require("id")))
        }
        return router
    }

    private static func answer(_ state: SpeakerState?) throws -> Response {
        guard let state else { throw HTTPError(.notFound) }
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(data: try SpeakerState.json(state))))
    }
}
