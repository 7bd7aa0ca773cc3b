import CMosquitto

/// One connection to a broker by MQTT 5, from its beginning to its end: it never connects again by itself.
///
/// What was not answered when it ends has failed, and is not sent again.
///
/// Source: MQTT Version 5.0, OASIS Standard; `mosquitto.h` of libmosquitto 2.0.
package actor MQTTConnection {
    /// How long the broker may take to answer.
    private static let patience = Duration.seconds(10)
    private static let library = mosquitto_lib_init()

    private typealias Answer = CheckedContinuation<Result<Void, MQTTError>, Never>

    private let loop: MQTTLoop
    private let context = CallbackContext()
    private let settings: MQTTSettings
    /// `nil` once it is over.
    // Safe: used on the loop, and by deinit when nobody else can.
    private nonisolated(unsafe) var handle: OpaquePointer?
    private var failure: MQTTError?
    private var opening: Answer?
    private var openingDeadline: ContinuousClock.Instant?
    /// By the number of the packet, with the instant by which it has to be answered.
    private var waiting: [Int32: (answer: Answer, deadline: ContinuousClock.Instant)] = [:]
    private var nextLook = ContinuousClock.now
    /// Messages that were handed out and not acknowledged.
    private var outstanding = 0
    /// Whether the broker had kept what this client subscribed to.
    package private(set) var isSessionPresent = false
    /// What the broker delivers, in order; ends with the connection. For one reader.
    package nonisolated let messages: AsyncStream<MQTTMessage>
    private let feed: AsyncStream<MQTTMessage>.Continuation

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Connects; may take as long as the system tries to reach an address where nothing answers.
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
        // Nobody waits for anything: each wait holds the actor.
        if let handle { mosquitto_destroy(handle) }
        feed.finish()
    }

    // MARK: What others ask

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

    /// Returns when the broker has taken the subscription (QoS 1); what is retained is delivered.
    ///
    /// - Parameter includesOwn: Whether what this connection publishes comes back.
    /// - Throws: ``MQTTError``.
    package func subscribe(_ filter: String, includesOwn: Bool) async throws(MQTTError) {
        let options = includesOwn ? 0 : Int32(MQTT_SUB_OPT_NO_LOCAL.rawValue)
        try await answered { handle, number in mosquitto_subscribe_v5(handle, &number, filter, 1, options, nil) }
    }

    /// Returns when nothing more comes by that filter.
    package func unsubscribe(_ filter: String) async throws(MQTTError) {
        try await answered { handle, number in mosquitto_unsubscribe_v5(handle, &number, filter, nil) }
    }

    /// The oldest message that was handed out and not acknowledged is done with: the broker may forget it.
    ///
    /// The broker is told when all that were handed out are; until then nothing is sent to it.
    package func acknowledge() { outstanding = max(0, outstanding - 1) }

    /// Ends it; what was not acknowledged is delivered again to the next one.
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

    /// Why it ended; `nil` before.
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
        // Waits on this connection's own thread: what is not reachable costs nobody else anything.
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

    /// What the loop is to wait for, and how long at most; `nil` where there is no socket.
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
