import DBus
import DataChannels
import Foundation
import HostInterface
import ScriptedChannel
import ScriptedDaemon
import Testing

@testable import AVSystemRouting

@MainActor
@Suite("The data channels", .timeLimit(.minutes(1)))
struct DataChannelTests {
    @Test("messages of a session go both ways, in order, past one the delegate fails")
    func sessionChannel() async throws {
        let link = try await Link()
        let (_, _, session) = try await link.started(.application)
        let channel = try #require(session.dataChannel)
        let delegate = RecordingDelegate()
        channel.dataDelegate = delegate
        let served = try await link.serve()
        var frames = served.frames.makeAsyncIterator()
        for message in ["up", "down"] {
            async let sending: Void = channel.send(Data(message.utf8))
            #expect(await frames.next() == .message(Data(message.utf8)))
            served.send(.accepted)
            try await sending
        }
        #expect(try await link.daemon.log.call("OpenDataChannel").path == Link.sessionPath)
        #expect(await link.daemon.log.calls.count { $0.member == "OpenDataChannel" } == 1)

        for message in [Data([1]), Data(), Data([2])] { served.send(.message(message)) }
        var messages = delegate.messages.makeAsyncIterator()
        #expect(await messages.next() == Data([1]))
        #expect(await messages.next() == Data([2]))
        let report = try await link.daemon.log.call("ReportProblem")
        #expect(report.arguments[0].asString == Link.devicePath)
        let problem = report.arguments[1].asString
        #expect(problem == "a message of 0 bytes was not processed: It is empty.")
        await link.daemon.close()
    }

    @Test("before the first message, data of a route and of a session arrives as signals; then in order")
    func signals() async throws {
        let link = try await Link()
        let (route, _, session) = try await link.started(.application)
        let (ofRoute, ofSession) = (RecordingDelegate(), RecordingDelegate())
        route.routeDataChannel.dataDelegate = ofRoute
        session.dataChannel?.dataDelegate = ofSession
        await link.daemon.emitData(Data([2]), path: Link.sessionPath, interface: HostNames.sessionInterface)
        var remote = ofSession.messages.makeAsyncIterator()
        #expect(await remote.next() == Data([2]))

        let served = try ScriptedChannel()
        let daemon = link.daemon
        await daemon.answer("OpenDataChannel") { _ in
            // The extension sent these before it had the channel, and the last one at once afterwards.
            for number in UInt8(0)..<50 {
                await daemon.emitData(Data([number]), path: Link.devicePath, interface: HostNames.deviceInterface)
            }
            served.send(.message(Data([50])))
            return served.giveOtherEnd()
        }
        try await served.accept(Data([9]), on: route.routeDataChannel)
        var routed = ofRoute.messages.makeAsyncIterator()
        for number in UInt8(0)...50 { #expect(await routed.next() == Data([number])) }
        await link.daemon.close()
    }

    @Test("a refused message is an error with the extension's sentence; the next is sent")
    func refusedMessage() async throws {
        let link = try await Link()
        let (_, _, session) = try await link.started(.application)
        let channel = try #require(session.dataChannel)
        let served = try await link.serve()
        async let answers: Void = served.answer(
            .refused(HostError(.invalidArgument, "It is too blue.\nReally.")), .accepted)
        let error = try await #require(throws: AVSystemRoutingError.self) { try await channel.send(Data([1])) }
        #expect(error.localizedDescription == "It is too blue.\nReally." && error.hostCode == "invalid-argument")
        try await channel.send(Data([2]))
        await answers
        let tooLong = Data(count: DataFrame.longestFromApp + 1)
        let refused = try await #require(throws: AVSystemRoutingError.self) { try await channel.send(tooLong) }
        #expect(refused.localizedDescription == "A message has at most 32 MiB.")
        await link.daemon.close()
    }

    @Test("more messages than may wait for the delegate all arrive")
    func manyLargeMessages() async throws {
        let link = try await Link()
        let (_, _, session) = try await link.started(.application)
        let channel = try #require(session.dataChannel)
        let delegate = RecordingDelegate()
        channel.dataDelegate = delegate
        let served = try await link.serve()
        try await served.accept(Data([1]), on: channel)
        let sizes = (1...40).map { DataFrame.longestFromExtension - $0 }
        for size in sizes { served.send(.message(Data(count: size))) }
        var messages = delegate.messages.makeAsyncIterator()
        for size in sizes { #expect(await messages.next()?.count == size) }
        await link.daemon.close()
    }

    @Test("a channel that can't be opened is the daemon's error; the next message opens it")
    func unopened() async throws {
        let link = try await Link()
        let (_, _, session) = try await link.started(.application)
        let channel = try #require(session.dataChannel)
        await link.daemon.answer("OpenDataChannel") { _ in
            throw HostError(.limitExceeded, "The extension already has 32 data channels.").asDBusError
        }
        let error = try await #require(throws: AVSystemRoutingError.self) { try await channel.send(Data([1])) }
        #expect(error.localizedDescription == "The extension already has 32 data channels.")
        let served = try await link.serve()
        try await served.accept(Data([1]), on: channel)
        await link.daemon.close()
    }

    @Test("a message that the extension's end left without an answer fails, and the next opens the channel again")
    func reopened() async throws {
        let link = try await Link()
        let (_, _, session) = try await link.started(.application)
        let channel = try #require(session.dataChannel)
        let delegate = RecordingDelegate()
        channel.dataDelegate = delegate
        let first = try await link.serve()
        var frames = first.frames.makeAsyncIterator()
        let sending = Task { try await channel.send(Data([1])) }
        #expect(await frames.next() == .message(Data([1])))
        // The app still receives what was sent before the channel closed.
        first.send(.message(Data([7])))
        first.close()
        let error = await #expect(throws: AVSystemRoutingError.self) { try await sending.value }
        #expect(error?.localizedDescription == "The data channel ended before the message was accepted.")
        var messages = delegate.messages.makeAsyncIterator()
        #expect(await messages.next() == Data([7]))

        let second = try await link.serve()
        try await second.accept(Data([2]), on: channel)
        second.send(.message(Data([8])))
        #expect(await messages.next() == Data([8]))
        await link.daemon.close()
    }

    @Test(
        "an extension that sends too much, or answers what wasn't sent, loses the channel",
        arguments: [DataFrame.message(Data(count: DataFrame.longestFromExtension + 1)), .accepted])
    func malformed(frame: DataFrame) async throws {
        let link = try await Link()
        let (_, _, session) = try await link.started(.application)
        let channel = try #require(session.dataChannel)
        let served = try await link.serve()
        try await served.accept(Data([1]), on: channel)
        served.send(frame)
        var frames = served.frames.makeAsyncIterator()
        #expect(await frames.next() == nil)
        await link.daemon.close()
    }

    @Test("the channel ends with the app's last use of it; a delegate is held weakly")
    func released() async throws {
        let link = try await Link()
        let (route, _, session) = try await link.started(.application)
        var opened: DataChannelConnection?
        let served = try await link.serve()
        do {
            let channel = try #require(session.dataChannel)
            try await served.accept(Data([1]), on: channel)
            do {
                let delegate = RecordingDelegate()
                channel.dataDelegate = delegate
                #expect(channel.dataDelegate === delegate)
            }
            #expect(channel.dataDelegate == nil)
            opened = channel.connection
            channel.connection = nil
        }
        #expect(opened?.isOver == false)
        opened = nil
        var frames = served.frames.makeAsyncIterator()
        #expect(await frames.next() == nil)
        _ = route
        await link.daemon.close()
    }
}

extension ScriptedChannel {
    /// Sends a message, which this end accepts.
    fileprivate func accept(_ message: Data, on channel: AVSystemRoute.DataChannel) async throws {
        async let answers: Void = answer(.accepted)
        try await channel.send(message)
        await answers
    }

    /// Answers the next messages.
    fileprivate func answer(_ answers: DataFrame...) async {
        var frames = frames.makeAsyncIterator()
        for answer in answers {
            _ = await frames.next()
            send(answer)
        }
    }
}

extension Link {
    /// Has the daemon open this channel for the next message.
    fileprivate func serve() async throws -> ScriptedChannel {
        let served = try ScriptedChannel()
        await daemon.answer("OpenDataChannel") { _ in served.giveOtherEnd() }
        return served
    }
}
