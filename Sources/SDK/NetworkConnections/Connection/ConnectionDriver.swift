import DeviceDiscovery
import Dispatch
import Foundation
import NIOCore
import NIOPosix

/// The driver of one connection: performs the actions of its ``ConnectionMachine`` on one channel at a time.
///
/// - Note: `@unchecked Sendable`, because all mutable state is used on ``loop`` only. Calls of the connection arrive
///   there in order.
final class ConnectionDriver: @unchecked Sendable {
    let plan: ConnectionPlan
    let loop: any EventLoop
    private let face: ConnectionFace
    private let slot: DiscoverySourceSlot?
    private var machine: ConnectionMachine
    private var accepted: (any Channel)?
    private var channel: (any Channel)?
    private var resolver: EndpointResolver?
    private var deadline: Scheduled<Void>?
    private var network: NetworkObserver.Subscription?
    private var watch = PathWatch()
    private var receives: [Int: NWConnection.ReceiveCompletion] = [:]
    private var sends: [Int: @Sendable (NWError?) -> Void] = [:]
    /// The beginning of an incomplete message.
    private var unsent: ByteBuffer?
    /// The time after which a cancelled connection closes, even if content is unsent.
    private static let grace = TimeAmount.seconds(10)

    init(_ face: ConnectionFace, _ plan: ConnectionPlan, slot: DiscoverySourceSlot) {
        (self.face, self.plan, self.slot) = (face, plan, slot)
        loop = MultiThreadedEventLoopGroup.singleton.next()
        machine = ConnectionMachine(keepsMessages: plan.keepsMessages)
    }

    init(_ face: ConnectionFace, _ plan: ConnectionPlan, accepted: any Channel) {
        (self.face, self.plan, self.accepted, slot) = (face, plan, accepted, nil)
        loop = accepted.eventLoop
        machine = ConnectionMachine(keepsMessages: plan.keepsMessages)
    }

    // MARK: Calls of the connection, from anywhere

    func start() {
        loop.execute { [self] in
            network = NetworkObserver.shared.subscribe { [weak self] in
                self?.loop.execute { [weak self] in self?.networkChanged() }
            }
            run(machine.start())
        }
    }

    func restart() { loop.execute { [self] in run(machine.retry()) } }
    func cancel() { loop.execute { [self] in run(machine.cancel()) } }
    func forceCancel() { loop.execute { [self] in run(machine.forceCancel()) } }

    func receive(_ request: ReceiveQueue.Request, _ completion: @escaping NWConnection.ReceiveCompletion) {
        loop.execute { [self] in
            receives[request.id] = completion
            run(machine.receive(request))
        }
    }

    func send(
        _ content: ByteBuffer?, _ context: NWConnection.ContentContext, isComplete: Bool,
        _ completion: NWConnection.SendCompletion
    ) {
        let id = face.nextNumber()
        loop.execute { [self] in
            if case .contentProcessed(let completion) = completion { sends[id] = completion }
            var content = content
            if plan.keepsMessages {
                if var begun = unsent {
                    if var more = content { begun.writeBuffer(&more) }
                    content = begun
                }
                unsent = isComplete ? nil : content ?? ByteBuffer()
                guard isComplete else { return finishSend(id, nil) }
            }
            run(
                machine.send(
                    ConnectionMachine.Send(
                        id: id, content: content, endsOutput: context.isFinal && isComplete && !plan.isDatagram,
                        metadata: context.protocolMetadata.first)))
        }
    }

    // MARK: Events of the channel, on the loop

    func established(_ attempt: Int, _ channel: any Channel, _ metadata: [NWProtocolMetadata]) {
        guard machine.phase == .preparing(attempt) else { return channel.close(promise: nil) }
        deadline?.cancel()
        self.channel = channel
        face.set(metadata)
        // From here on content is read on demand.
        channel.setOption(.autoRead, value: false).whenComplete { _ in }
        watch.begin(channel)
        face.tell(watch.path(plan.parameters))
        run(machine.connected(attempt))
        face.tellViability(true)
    }

    func failed(_ attempt: Int, _ error: NWError) { run(machine.attemptFailed(attempt, error)) }
    func received(_ bytes: ByteBuffer) { run(machine.received(bytes)) }
    func received(_ message: ReceiveQueue.Message) { run(machine.received(message)) }
    func inputEnded() { run(machine.inputEnded()) }
    func broke(_ channel: any Channel, _ error: NWError) {
        if channel === self.channel { run(machine.broke(error)) }
    }
    func closed(_ channel: any Channel) {
        if channel === self.channel { run(machine.closed()) }
    }
    func readMore() {
        if machine.wantsMore { channel?.read() }
    }

    // MARK: Doing it

    private func run(_ actions: [ConnectionMachine.Action]) {
        for action in actions {
            switch action {
            case .tell(let state):
                face.tell(state)
                if state == .cancelled { letGo() }
                if case .failed = state { network = nil }
            case .attempt(let number): attempt(number)
            case .abandon: abandon()
            case .write(let send): write(send)
            case .close:
                loop.scheduleTask(in: Self.grace) { self.run(self.machine.forceCancel()) }
                guard let channel else { return run(machine.closed()) }
                // Also where both sides have closed it before.
                channel.close().whenComplete { _ in self.run(self.machine.closed()) }
            case .finishReceive(let id, let answer): finishReceive(id, answer)
            case .finishSend(let id, let error): finishSend(id, error)
            }
        }
        readMore()
    }

    private func attempt(_ number: Int) {
        if let flaw = plan.flaw { return run(machine.attemptFailed(number, flaw)) }
        deadline = loop.scheduleTask(in: plan.timeout) {
            self.run(self.machine.attemptFailed(number, .posix(.ETIMEDOUT)))
        }
        if let accepted {
            self.accepted = nil
            channel = accepted
            return ChannelFactory.adopt(accepted, for: self, attempt: number)
        }
        guard let slot else { return run(machine.attemptFailed(number, .posix(.ENOTCONN))) }
        let resolver = resolver ?? EndpointResolver(plan, loop, slot: slot) { [weak self] in self?.placesChanged() }
        self.resolver = resolver
        resolver.resolve { [weak self] result in
            guard let self, machine.phase == .preparing(number) else { return }
            switch result {
            case .success(let target): connect(number, to: target)
            case .failure(let error): run(machine.attemptFailed(number, error))
            }
        }
    }

    private func connect(_ number: Int, to target: ConnectionTarget) {
        ChannelFactory.connect(to: target, for: self, attempt: number) { [weak self] channel in
            // Known before it is ready, so that it can be dropped.
            guard let self, machine.phase == .preparing(number) else { return channel.close(promise: nil) }
            self.channel = channel
        }
    }

    private func write(_ send: ConnectionMachine.Send) {
        guard let channel else { return run(machine.wrote(send.id, .posix(.ENOTCONN))) }
        let promise = loop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { result in
            var failure: NWError?
            if case .failure(let error) = result { failure = NWError(error) }
            self.run(self.machine.wrote(send.id, failure))
        }
        if plan.keepsMessages {
            channel.writeAndFlush(send, promise: promise)
        } else if let content = send.content {
            channel.writeAndFlush(content, promise: promise)
            if send.endsOutput { channel.close(mode: .output, promise: nil) }
        } else if send.endsOutput {
            channel.close(mode: .output, promise: promise)
        } else {
            promise.succeed()
        }
    }

    private func finishReceive(_ id: Int, _ answer: ReceiveQueue.Answer) {
        guard let completion = receives.removeValue(forKey: id) else { return }
        let content = answer.content.map { Data($0.readableBytesView) }
        let context: NWConnection.ContentContext? =
            if answer.error != nil && content == nil {
                nil
            } else if let metadata = answer.metadata {
                NWConnection.ContentContext(identifier: "message", metadata: [metadata])
            } else if answer.isFinal {
                .finalMessage
            } else {
                plan.keepsMessages ? .defaultMessage : .defaultStream
            }
        face.perform { completion(content, context, answer.isComplete, answer.error) }
    }

    private func finishSend(_ id: Int, _ error: NWError?) {
        guard let completion = sends.removeValue(forKey: id) else { return }
        face.perform { completion(error) }
    }

    private func abandon() {
        deadline?.cancel()
        let dropped = channel ?? accepted
        (channel, accepted) = (nil, nil)
        if let dropped { ChannelFactory.abandon(dropped) }
    }

    private func letGo() {
        deadline?.cancel()
        (resolver, network, channel) = (nil, nil, nil)
    }

    // MARK: Paths

    private func networkChanged() {
        if machine.isWaiting { return run(machine.retry()) }
        guard machine.isReady else { return }
        tellPath()
    }

    /// Responds to other addresses of the service.
    private func placesChanged() {
        if machine.isWaiting { return run(machine.retry()) }
        guard machine.isReady else { return }
        tellPath()
    }

    private func tellPath() {
        let news = watch.check(known: resolver?.known)
        face.tell(watch.path(plan.parameters))
        if let isViable = news.viability { face.tellViability(isViable) }
        if let isThere = news.betterPath { face.tellBetterPath(isThere) }
    }
}
