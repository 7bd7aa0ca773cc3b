import CMosquitto

/// One MQTT 5 connection to a broker; it never reconnects by itself.
///
/// Requests without an answer when the connection ends have failed and are not sent again.
///
/// Source: MQTT Version 5.0, OASIS Standard; `mosquitto.h` of libmosquitto 2.0.
package actor MQTTConnection {
    /// The time the broker has to answer.
    private static let patience = Duration.seconds(10)
    private static let library = mosquitto_lib_init()

    private typealias Answer = CheckedContinuation<Result<Void, MQTTError>, Never>

    private let loop: MQTTLoop
    private let context = CallbackContext()
    private let settings: MQTTSettings
    /// `nil` once the connection has ended.
    // Safe: used on the loop, and by deinit when no other reference exists.
    private nonisolated(unsafe) var handle: OpaquePointer?
    private var failure: MQTTError?
    private var opening: Answer?
    private var openingDeadline: ContinuousClock.Instant?
    /// Pending requests by packet identifier, each with its deadline.
    private var waiting: [Int32: (answer: Answer, deadline: ContinuousClock.Instant)] = [:]
    private var nextLook = ContinuousClock.now
    /// Messages that were handed out and not acknowledged.
    private var outstanding = 0
    /// A Boolean value that indicates whether the broker had kept this client's subscriptions.
    package private(set) var isSessionPresent = false
    /// The delivered messages, in order; ends with the connection. For one reader.
    package nonisolated let messages: AsyncStream<MQTTMessage>
    private let feed: AsyncStream<MQTTMessage>.Continuation

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Connects. An unreachable address takes as long as the system's connection timeout.
    ///
    /// - Throws: ``MQTTError``.
    package static func open(_ settings: MQTTSettings) async throws(MQTTError) -> MQTTConnection {
        let connection = try MQTTConnection(settings)
        do throws(MQTTError) {
            try await connection.connect()
        } catch {
            await connection.close()
            throw error
        }
        return connection
    }

    private init(_ settings: MQTTSettings) throws(MQTTError) {
        if let reason = mdhost_mosquitto_load() { throw MQTTError(missing: String(cString: reason)) }
        precondition(Self.library == MOSQ_ERR_SUCCESS.rawValue, "libmosquitto cannot be used")
        loop = try MQTTLoop()
        self.settings = settings
        (messages, feed) = AsyncStream.makeStream()
        handle = mosquitto_new(settings.clientIdentifier, settings.beginsAnew, context.pointer)
        guard handle != nil else { throw MQTTError(.invalid, "“\(settings.clientIdentifier)” is no client's name") }
    }

    deinit {
        // No request is pending here: each one keeps a reference to the actor.
        if let handle { mosquitto_destroy(handle) }
        feed.finish()
    }

    // MARK: Requests

    /// Returns when the broker has taken it (QoS 1).
    ///
    /// - Throws: ``MQTTError``; unless it says so, it may have been taken all the same.
    package func publish(_ publication: MQTTPublication) async throws(MQTTError) {
        try await answered { handle, number in
            var properties: OpaquePointer?
            defer { mosquitto_property_free_all(&properties) }
            if let expiry = publication.expiry {
                mosquitto_property_add_int32(&properties, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expiry)
            }
            return mosquitto_publish_v5(
                handle, &number, publication.topic, Int32(publication.payload.count), publication.payload, 1,
                publication.isRetained, properties)
        }
    }

    /// Subscribes and returns when the broker has accepted the subscription (QoS 1). The broker then delivers retained
    /// messages.
    ///
    /// - Parameter includesOwn: A Boolean value that indicates whether this connection's own messages come back.
    /// - Throws: ``MQTTError``.
    package func subscribe(_ filter: String, includesOwn: Bool) async throws(MQTTError) {
        let options = includesOwn ? 0 : Int32(MQTT_SUB_OPT_NO_LOCAL.rawValue)
        try await answered { handle, number in mosquitto_subscribe_v5(handle, &number, filter, 1, options, nil) }
    }

    /// Unsubscribes and returns when no more messages arrive for the filter.
    package func unsubscribe(_ filter: String) async throws(MQTTError) {
        try await answered { handle, number in mosquitto_unsubscribe_v5(handle, &number, filter, nil) }
    }

    /// Acknowledges the oldest delivered message that isn't acknowledged yet, so that the broker may forget it.
    ///
    /// Acknowledgements are sent to the broker together, once all delivered messages are acknowledged.
    package func acknowledge() { outstanding = max(0, outstanding - 1) }

    /// Closes the connection; the broker delivers unacknowledged messages again to the next one.
    package func close() {
        guard let handle, failure == nil else { return destroyIfOver() }
        let isOrderly = opening == nil && outstanding == 0
        end(.closed)
        if isOrderly {
            mosquitto_disconnect_v5(handle, Int32(MQTT_RC_NORMAL_DISCONNECTION.rawValue), nil)
            mosquitto_loop_write(handle, 1)
        }
        destroyIfOver()
    }

    /// The reason the connection ended; `nil` while it is open.
    package var end: MQTTError? { failure }

    // MARK: Connecting

    private func connect() async throws(MQTTError) {
        context.connection = self
        if let error = prepare() { throw error }
        guard let handle else { throw .closed }
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        mosquitto_property_add_int32(
            &properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), settings.sessionExpiry)
        // Blocks only this connection's own thread, so an unreachable broker delays no other work.
        let result = mosquitto_connect_bind_v5(
            handle, settings.address.host, Int32(settings.address.port), settings.keepAlive, nil, properties)
        guard result == MOSQ_ERR_SUCCESS.rawValue else { throw MQTTError(result: result) }
        loop.watch(self)
        openingDeadline = .now + Self.patience
        try await withCheckedContinuation { opening = $0 }.get()
    }

    private func prepare() -> MQTTError? {
        guard let handle else { return .closed }
        setCallbacks(handle)
        // Packets are written by `turn` alone: that is how an acknowledgement can wait, which the library writes down before
        // it hands out the message.
        mosquitto_threaded_set(handle, true)
        mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
        mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
        if !settings.address.user.isEmpty {
            let result = mosquitto_username_pw_set(handle, settings.address.user, settings.password)
            guard result == MOSQ_ERR_SUCCESS.rawValue else { return MQTTError(result: result) }
        }
        guard settings.address.isSecure else { return nil }
        let result = mosquitto_tls_set(
            handle, settings.authority, settings.authority == nil ? "/etc/ssl/certs" : nil, settings.certificate,
            settings.key, nil)
        guard result == MOSQ_ERR_SUCCESS.rawValue else {
            return MQTTError(.security, "The authority, certificate or key for the broker cannot be read")
        }
        return nil
    }

    // MARK: The loop

    /// The events the loop waits for, and the longest wait; `nil` without a socket.
    var interest: (descriptor: Int32, events: Int16, milliseconds: Int32)? {
        guard let handle, failure == nil else { return nil }
        let descriptor = mosquitto_socket(handle)
        guard descriptor >= 0 else { return nil }
        let writes = outstanding == 0 && mosquitto_want_write(handle)
        let isAwaiting = opening != nil || !waiting.isEmpty
        return (descriptor, Int16(POLLIN | (writes ? POLLOUT : 0)), isAwaiting ? 1_000 : settings.keepAlive * 250)
    }

    /// The socket is ready for something, or time passed.
    func turn(_ ready: Int16) {
        guard let handle, failure == nil else { return destroyIfOver() }
        var result = Int32(MOSQ_ERR_SUCCESS.rawValue)
        if ready & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
            result = mosquitto_loop_read(handle, 1)
            // While TLS is set up the library does not notice that the other side is gone.
            if opening != nil, ready & Int16(POLLHUP | POLLERR) != 0 {
                end(MQTTError(.unreachable, "The broker closed the connection"))
            }
        }
        if failure == nil, result == MOSQ_ERR_SUCCESS.rawValue, outstanding == 0, mosquitto_want_write(handle) {
            result = mosquitto_loop_write(handle, 1)
        }
        if failure == nil, result == MOSQ_ERR_SUCCESS.rawValue { result = mosquitto_loop_misc(handle) }
        if failure == nil, result != MOSQ_ERR_SUCCESS.rawValue { end(MQTTError(result: result)) }
        endIfLate()
        destroyIfOver()
    }

    private func endIfLate() {
        let now = ContinuousClock.now
        guard failure == nil, now >= nextLook else { return }
        nextLook = now + .seconds(1)
        let isLate = openingDeadline.map { $0 < now } ?? false || waiting.values.contains { $0.deadline < now }
        if isLate { end(.late) }
    }

    private func end(_ error: MQTTError) {
        guard failure == nil else { return }
        failure = error
        opening?.resume(returning: .failure(error))
        opening = nil
        for wait in waiting.values { wait.answer.resume(returning: .failure(error)) }
        waiting = [:]
        feed.finish()
    }

    /// Not from a callback: the library still works with it there.
    private func destroyIfOver() {
        guard failure != nil, let handle else { return }
        self.handle = nil
        mosquitto_destroy(handle)
    }

    private func answered(_ send: (OpaquePointer, inout Int32) -> Int32) async throws(MQTTError) {
        guard let handle, failure == nil else { throw failure ?? .closed }
        var number: Int32 = 0
        let result = send(handle, &number)
        guard result == MOSQ_ERR_SUCCESS.rawValue else { throw MQTTError(result: result) }
        try await withCheckedContinuation { waiting[number] = ($0, .now + Self.patience) }.get()
    }

    // MARK: Callbacks

    func connected(_ reason: Int32, isSessionPresent: Bool) {
        openingDeadline = nil
        guard reason == 0 else {
            // A client that is not allowed in was refused, and not for a topic's sake.
            let error = MQTTError(reason: reason)
            return end(
                error.kind == .notAllowed
                    ? MQTTError(.refused, "The broker refused the user name, password or certificate") : error)
        }
        self.isSessionPresent = isSessionPresent
        opening?.resume(returning: .success(()))
        opening = nil
    }

    func answered(_ number: Int32, _ reason: Int32) {
        waiting.removeValue(forKey: number)?.answer
            .resume(returning: reason < 0x80 ? .success(()) : .failure(MQTTError(reason: reason)))
    }

    func received(_ message: MQTTMessage) {
        if settings.acknowledgesByHand { outstanding += 1 }
        feed.yield(message)
    }

    /// - Parameter reason: Below 0x80 a result of the library, otherwise the broker's reason.
    func disconnected(_ reason: Int32) {
        end(reason < 0x80 ? MQTTError(result: reason) : MQTTError(reason: reason))
    }
}
