import DBus
import DataChannels
import Foundation
import HostInterface
import MediaDevice
import ScriptedChannel
import Testing

/// An app's data channel, served by an extension.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct DataChannelTests {
    @Test func messagesReachTheExtensionAndAreAnswered() async throws {
        let link = try await LinkedExtension.greeted()
        try await link.activate()
        try await link.startSession()
        let app = try ScriptedChannel()
        try await link.host.open(app, application: "app")
        var frames = app.frames.makeAsyncIterator()
        for number in UInt8(0)..<3 {
            app.send(.message(Data([number])))
            #expect(await frames.next() == .accepted)
            #expect(link.extension.requests.last == .sendData(Data([number]), "app", session: "s1"))
        }
        let session = try #require(link.extension.sessions.first)
        link.manager.receiveData(Data([9]), fromApplication: "app", session: session)
        #expect(await frames.next() == .message(Data([9])))
        // Nothing of it went over the link.
        link.manager.lostDevice(.sample())
        #expect(try await link.next().member == "LostDevice")
    }

    @Test func theRoutesChannelAndTheSessionsStayApartAndEndInTheirTime() async throws {
        let link = try await LinkedExtension.greeted()
        try await link.activate()
        try await link.startSession()
        let (ofRoute, ofSession) = (try ScriptedChannel(), try ScriptedChannel())
        try await link.host.open(ofRoute, application: HostNames.extensionApplication)
        try await link.host.open(ofSession, application: "app")
        let session = try #require(link.extension.sessions.first)
        link.manager.receiveData(Data([1]), fromApplication: HostNames.extensionApplication, session: session)
        link.manager.receiveData(Data([2]), fromApplication: "app", session: session)
        var routed = ofRoute.frames.makeAsyncIterator()
        var remote = ofSession.frames.makeAsyncIterator()
        #expect(await routed.next() == .message(Data([1])))
        #expect(await remote.next() == .message(Data([2])))

        try await link.host.call("StopSession", [.string("s1")])
        #expect(await remote.next() == nil)
        ofRoute.send(.message(Data([3])))
        #expect(await routed.next() == .accepted)
        // The session is over, the route is not.
        await #expect(throws: DBusError.self) { try await link.host.open(ScriptedChannel(), application: "app") }
        try await link.host.call(
            "DeactivateDevice", [.string(MediaOutputDevice.sampleID.uuidString), .string("s1")])
        #expect(await routed.next() == nil)
        await #expect(throws: DBusError.self) {
            try await link.host.open(ScriptedChannel(), application: HostNames.extensionApplication)
        }
    }

    @Test func withoutAChannelDataTakesTheLink() async throws {
        let link = try await LinkedExtension.greeted()
        try await link.activate()
        let session = try #require(link.extension.sessions.first)
        do {
            let app = try ScriptedChannel()
            try await link.host.open(app, application: HostNames.extensionApplication)
            app.close()
            var frames = app.frames.makeAsyncIterator()
            #expect(await frames.next() == nil)
        }
        // Even before the extension has noticed that.
        link.manager.receiveData(Data([1]), fromApplication: HostNames.extensionApplication, session: session)
        #expect(try await link.next().member == "ReceiveData")
    }

    @Test func oneAppCannotTakeAllChannels() async throws {
        let link = try await LinkedExtension.greeted()
        try await link.activate()
        var apps: [ScriptedChannel] = []
        for _ in 0..<32 {
            let app = try ScriptedChannel()
            try await link.host.open(app, application: HostNames.extensionApplication)
            apps.append(app)
        }
        let error = try await #require(throws: DBusError.self) {
            try await link.host.open(ScriptedChannel(), application: HostNames.extensionApplication)
        }
        #expect(HostError(error).code == .limitExceeded)
        let session = try #require(link.extension.sessions.first)
        link.manager.receiveData(Data([1]), fromApplication: HostNames.extensionApplication, session: session)
        for app in apps {
            var frames = app.frames.makeAsyncIterator()
            #expect(await frames.next() == .message(Data([1])))
        }
    }

    @Test func whatIsNoMessageEndsTheChannelAlone() async throws {
        let link = try await LinkedExtension.greeted()
        try await link.activate()
        let (wrong, right) = (try ScriptedChannel(), try ScriptedChannel())
        for app in [wrong, right] { try await link.host.open(app, application: HostNames.extensionApplication) }
        wrong.send(.accepted)
        var frames = wrong.frames.makeAsyncIterator()
        #expect(await frames.next() == nil)
        frames = right.frames.makeAsyncIterator()
        right.send(.message(Data([1])))
        #expect(await frames.next() == .accepted)
    }

    @Test func manyLargeMessagesAreAllAnswered() async throws {
        let link = try await LinkedExtension.greeted()
        try await link.activate()
        let app = try ScriptedChannel()
        try await link.host.open(app, application: HostNames.extensionApplication)
        // A message longer than the window comes alone.
        let sizes = [1 << 20, 1, 0, 100_000, 3 << 20] + Array(repeating: 30_000, count: 100)
        for size in sizes { app.send(.message(Data(count: size))) }
        var frames = app.frames.makeAsyncIterator()
        for _ in sizes { #expect(await frames.next() == .accepted) }
        let lengths = link.extension.requests.compactMap { request -> Int? in
            if case .sendData(let data, _, _) = request { data.count } else { nil }
        }
        #expect(lengths == sizes)
    }

    @Test func theChannelEndsWithTheLink() async throws {
        let link = try await LinkedExtension.greeted()
        try await link.activate()
        let app = try ScriptedChannel()
        try await link.host.open(app, application: HostNames.extensionApplication)
        await link.host.connection.close()
        var frames = app.frames.makeAsyncIterator()
        #expect(await frames.next() == nil)
        try await link.ended()
    }
}

extension HostEnd {
    /// Has the extension serve a channel.
    fileprivate func open(_ app: ScriptedChannel, application: String) async throws {
        try await call("OpenDataChannel", app.giveOtherEnd() + [.string(application), .string("s1")])
    }
}
