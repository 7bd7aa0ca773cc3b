import CSystemd

/// A match rule with its handler.
final class SignalSubscription {
    private let receive: (DBusSignal) -> Void
    /// Called once: with `nil` when the broker has the rule, or with why it has not.
    private var installed: ((DBusError?) -> Void)?
    private let ended: () -> Void
    private let limits: MessageReader.Limits
    var slot: OpaquePointer?

    init(
        limits: MessageReader.Limits, receive: @escaping (DBusSignal) -> Void,
        installed: @escaping (DBusError?) -> Void,
        ended: @escaping () -> Void
    ) {
        self.limits = limits
        self.receive = receive
        self.installed = installed
        self.ended = ended
    }

    func reportInstalled(_ error: DBusError?) {
        let report = installed
        installed = nil
        report?(error)
    }

    func finish() {
        slot = sd_bus_slot_unref(slot)
        reportInstalled(.disconnected())
        ended()
    }

    func deliver(_ message: OpaquePointer) {
        // A signal with an unreadable body is ignored.
        guard let path = sd_bus_message_get_path(message), let interface = sd_bus_message_get_interface(message),
            let member = sd_bus_message_get_member(message),
            let arguments = try? MessageReader.arguments(of: message, limits: limits)
        else { return }
        receive(
            DBusSignal(
                sender: sd_bus_message_get_sender(message).map { String(cString: $0) }, path: String(cString: path),
                interface: String(cString: interface), member: String(cString: member), arguments: arguments))
    }
}

private func receiveSignal(
    _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message, let context else { return 0 }
    Unmanaged<SignalSubscription>.fromOpaque(context).takeUnretainedValue().deliver(message)
    // 0: other subscriptions want it too.
    return 0
}

private func receiveInstallation(
    _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message, let context else { return 0 }
    let subscription = Unmanaged<SignalSubscription>.fromOpaque(context).takeUnretainedValue()
    switch PendingCall.result(of: message, limits: .none) {
    case .success: subscription.reportInstalled(nil)
    case .failure(let error): subscription.reportInstalled(error)
    }
    return 1
}

extension DBusConnection {
    /// Signals that match everything given, from when this returns on, in order, however slow the reader is.
    ///
    /// Ends with the connection. Letting go of the stream removes the rule.
    /// - Parameter sender: A bus name; ignored peer to peer. For a well-known name the broker does the matching, so a
    ///   signal that another subscription of this connection asks for passes here too if all else matches.
    package func signals(
        sender: String? = nil, path: String? = nil, pathNamespace: String? = nil, interface: String? = nil,
        member: String? = nil, firstArgument: String? = nil, firstArgumentNamespace: String? = nil
    ) async throws(DBusError) -> AsyncStream<DBusSignal> {
        let rule = MatchRule(
            sender: sender, path: path, pathNamespace: pathNamespace, interface: interface, member: member,
            firstArgument: firstArgument, firstArgumentNamespace: firstArgumentNamespace)
        let (stream, feed) = AsyncStream.makeStream(of: DBusSignal.self, bufferingPolicy: .unbounded)
        let identifier = makeIdentifier()
        let failure: DBusError? = await withCheckedContinuation { continuation in
            do throws(DBusError) {
                try subscribe(
                    identifier, rule, receive: { feed.yield($0) },
                    installed: { continuation.resume(returning: $0) }, ended: { feed.finish() })
            } catch {
                continuation.resume(returning: error)
            }
        }
        if let failure {
            unsubscribe(identifier)
            throw failure
        }
        feed.onTermination = { [weak self, loop] _ in
            loop.async { [weak self] in self?.assumeIsolated { $0.unsubscribe(identifier) } }
        }
        return stream
    }

    /// Passes on every signal of a sender and name, from the return of this method until the connection ends.
    ///
    /// - Parameters:
    ///   - receive: Runs on the loop, in wire order: signals before the reply to a call have been passed on when the call
    ///     returns.
    ///   - ended: Runs on the loop when the connection has ended.
    package func forward(
        signalsOf sender: String? = nil, member: String? = nil, to receive: @escaping @Sendable (DBusSignal) -> Void,
        ended: @escaping @Sendable () -> Void = {}
    ) async throws(DBusError) {
        let identifier = makeIdentifier()
        let failure: DBusError? = await withCheckedContinuation { continuation in
            do throws(DBusError) {
                try subscribe(
                    identifier, MatchRule(sender: sender, member: member), receive: receive,
                    installed: { continuation.resume(returning: $0) }, ended: ended)
            } catch {
                continuation.resume(returning: error)
            }
        }
        guard let failure else { return }
        unsubscribe(identifier)
        throw failure
    }

    /// Adds a match rule; the closures run on the loop. Peer to peer it is installed when this returns.
    ///
    /// - Parameter installed: Exactly once, unless this throws.
    func subscribe(
        _ identifier: UInt64, _ rule: MatchRule, receive: @escaping (DBusSignal) -> Void,
        installed: @escaping (DBusError?) -> Void, ended: @escaping () -> Void = {}
    ) throws(DBusError) {
        let text = try rule.text(isPeer: kind != .bus)
        let driver = try startedDriver()
        let subscription = SignalSubscription(
            limits: limits, receive: receive, installed: installed, ended: ended)
        let context = Unmanaged.passUnretained(subscription).toOpaque()
        if kind == .bus {
            try check(
                sd_bus_add_match_async(
                    driver.bus, &subscription.slot, text, receiveSignal, receiveInstallation, context),
                "match \(text)")
            subscriptions[identifier] = subscription
        } else {
            try check(sd_bus_add_match(driver.bus, &subscription.slot, text, receiveSignal, context), "match \(text)")
            subscriptions[identifier] = subscription
            subscription.reportInstalled(nil)
        }
        driver.settle()
    }

    func unsubscribe(_ identifier: UInt64) {
        subscriptions.removeValue(forKey: identifier)?.finish()
        driver?.settle()
    }
}
