import Foundation
import Testing

extension BadInput {
    /// Renderers that are found and then misbehave.
    @Suite struct HostileRendererTests {
        private struct Case: Sendable {
            var manners: HostileRenderer.Manners
            var status: Int32
            var sentence: String

            init(_ name: String, _ actions: [String: HostileRenderer.Answer], _ status: Int32, _ sentence: String) {
                manners = .init(name: name, actions: actions)
                self.status = status
                self.sentence = sentence
            }
        }

        private static let cases = [
            Case("Broken", ["GetTransportInfo": .status(500)], 1, "answered with HTTP status 500"),
            Case("Mute", ["GetTransportInfo": .silence], 5, "did not answer in time"),
            Case("Truncated", ["GetTransportInfo": .truncated], 1, "is incomplete"),
            Case("Garbled", ["GetTransportInfo": .garbage], 1, "is malformed"),
            Case("Offer refused", ["SetAVTransportURI": .status(500)], 1, "answered with HTTP status 500"),
            Case("Offer unanswered", ["SetAVTransportURI": .silence], 5, "did not answer in time"),
            Case("Offer 701", ["SetAVTransportURI": .fault(701)], 1, "cannot do that in its present state"),
            Case("Offer 714", ["SetAVTransportURI": .fault(714)], 6, "refuses media of this type"),
            Case("Offer 716", ["SetAVTransportURI": .fault(716)], 5, "could not find anything at the address"),
            Case("Play 701", ["Play": .fault(701)], 1, "cannot do that in its present state"),
            Case("Play 714", ["Play": .fault(714)], 6, "refuses media of this type"),
            Case("Play 716", ["Play": .fault(716)], 5, "could not find anything at the address"),
        ]

        @Test func everyFailureIsASentence() async throws {
            let evil = try #require(HostileHosts.evil)
            try await PrivateDaemon.run(watching: true) { daemon in
                var renderers: [HostileRenderer] = []
                for one in Self.cases { renderers.append(try await HostileRenderer.start(one.manners, on: evil)) }
                let good = try await HostileRenderer.start(.init(name: "Well-behaved"), on: evil)
                try await daemon.awaitRenderers(renderers + [good])
                // The first playback opens resources that stay open, such as the server for events.
                #expect(try await daemon.mdhost("play", "Well-behaved", good.media, "--detach").status == 0)
                #expect(try await daemon.mdhost("stop").status == 0)
                try await eventually("the end of the good one's subscriptions") { good.subscriptions == 0 }
                let before = try await daemon.settledFootprint()

                let media = good.media
                try await withThrowingTaskGroup { group in
                    for one in Self.cases {
                        group.addTask {
                            let result = try await daemon.mdhost("play", one.manners.name, media, "--detach", "--json")
                            result.expect(one.manners.name, status: one.status, one.sentence)
                            let error = (result.json as? [String: Any])?["error"] as? [String: Any]
                            #expect(error?["code"] as? String != "internal-failure", "\(result)")
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await daemon.list("sessions").isEmpty)
                for renderer in renderers {
                    let name = renderer.manners.name
                    #expect(try await daemon.device(name)?["activation"] as? String == "idle", "\(name)")
                    #expect(try await daemon.device(name)?["lastError"] != nil, "\(name)")
                    try await eventually("the end of \(name)'s subscriptions") { renderer.subscriptions == 0 }
                }
                try await daemon.expectReturn(to: before, "failing renderers")
                for renderer in renderers + [good] { renderer.stop() }
            }
        }

        @Test func aFloodOfEventsIsSurvived() async throws {
            let evil = try #require(HostileHosts.evil)
            try await PrivateDaemon.run(watching: true) { daemon in
                let renderer = try await HostileRenderer.start(.init(name: "Chatterbox", floodOfEvents: 500), on: evil)
                try await daemon.awaitRenderers([renderer])
                let played = try await daemon.mdhost("play", "Chatterbox", renderer.media, "--detach")
                played.expect("events flood", status: 0, "Playing on Chatterbox")
                try await eventually("the flood", within: .seconds(40)) { renderer.eventsSent >= 1_000 }
                let during = daemon.footprint
                #expect(try await daemon.mdhost("pause").status == 0)
                try await eventually("the pause") { renderer.transport == "PAUSED_PLAYBACK" }
                #expect(try await daemon.mdhost("stop").status == 0)
                try await eventually("the end of its subscriptions") { renderer.subscriptions == 0 }
                #expect(renderer.count("UNSUBSCRIBE") >= 2)
                try await daemon.expectReturn(to: during, "events flood")
                renderer.stop()
            }
        }

        @Test func aRendererWithoutEventsIsPolled() async throws {
            let evil = try #require(HostileHosts.evil)
            try await PrivateDaemon.run(watching: true) { daemon in
                let renderer = try await HostileRenderer.start(
                    .init(name: "Eventless", subscription: .status(500)), on: evil)
                try await daemon.awaitRenderers([renderer])
                let played = try await daemon.mdhost("play", "Eventless", renderer.media, "--detach")
                played.expect("SUBSCRIBE 500", status: 0, "Playing on Eventless")
                func isPlaying() async throws -> Bool? {
                    (try await daemon.list("sessions").first?["playback"] as? [String: Any])?["isPlaying"] as? Bool
                }
                try await eventually("the playing state") { try await isPlaying() == true }
                renderer.transport = "PAUSED_PLAYBACK"
                try await eventually("the device's own pause") { try await isPlaying() == false }
                #expect(renderer.subscriptions == 0)
                #expect(try await daemon.mdhost("stop").status == 0)
                renderer.stop()
            }
        }
    }
}
