import CAvahi
import Glibc

/// A service this machine offers, announced through avahi-daemon for as long as this object lives.
///
/// A missing daemon is not an error: the announcement waits, and after a restart it is made again. Runs on a thread of its
/// own (``AvahiLoop``).
package actor AvahiPublisher {
    /// The announced service.
    package struct Service: Sendable, Hashable {
        /// Changed by appending ` #2` where another service of the network has it.
        package var name: String
        /// `_http._tcp`.
        package var type: String
        package var port: UInt16
        /// Values as bytes.
        package var txt: [String: [UInt8]]
        /// `lo`; `nil` for every interface.
        package var interface: String?

        package init(name: String, type: String, port: UInt16, txt: [String: [UInt8]] = [:], interface: String? = nil) {
            self.name = name
            self.type = type
            self.port = port
            self.txt = txt
            self.interface = interface
        }

        /// - Parameter txt: Texts.
        package init(name: String, type: String, port: UInt16, txt: [String: String], interface: String? = nil) {
            self.init(
                name: name, type: type, port: port, txt: txt.mapValues { Array($0.utf8) }, interface: interface)
        }
    }

    package enum State: Sendable, Hashable {
        /// Others can see it, under this name.
        case published(name: String)
        /// There is no daemon to announce it; the announcement continues when one appears.
        case waiting(AvahiError)
        /// It can never be announced; the stream ends.
        case failed(AvahiError)
    }

    private static let retryDelay = Duration.seconds(2)

    nonisolated let loop: AvahiLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    /// The states of the announcement; for one consumer.
    package nonisolated let states: AsyncStream<State>

    private let feed: AsyncStream<State>.Continuation
    private var service: Service
    /// `AvahiClient *`; frees the group with it.
    private var connection: OpaquePointer?
    private var group: OpaquePointer?
    private var context: PublisherContext?
    private var clientState = AVAHI_CLIENT_CONNECTING
    private var clientError: Int32 = 0
    private var retry: Task<Void, Never>?
    private var isClosed = false
    private var told: State?

    /// - Throws: ``AvahiError`` `no-memory` or `operating-system`; `invalidServiceType`.
    package init(_ service: Service) throws(AvahiError) {
        guard avahi_is_valid_service_type_strict(service.type) != 0 else { throw AvahiError(.invalidServiceType) }
        loop = try AvahiLoop()
        self.service = service
        (states, feed) = AsyncStream.makeStream()
    }

    isolated deinit {
        retry?.cancel()
        if let connection { avahi_client_free(connection) }
    }

    /// Begins to announce.
    package func start() {
        guard connection == nil, !isClosed else { return }
        let context = PublisherContext(publisher: self)
        self.context = context
        var number: Int32 = 0
        let made = avahi_client_new(
            loop.pollInterface, AVAHI_CLIENT_NO_FAIL, PublisherContext.clientStateChanged, context.pointer, &number)
        guard let made else { return wait(AvahiError(number: number)) }
        connection = made
        adoptClientState()
    }

    /// Takes the announcement back at once.
    package func close() {
        isClosed = true
        retry?.cancel()
        disconnect()
        feed.finish()
    }

    // MARK: Callbacks

    /// Also runs inside `avahi_client_new`, before the handle is known.
    fileprivate func clientStateChanged(_ state: AvahiClientState, number: Int32) {
        clientState = state
        clientError = number
        if connection != nil { adoptClientState() }
    }

    fileprivate func groupStateChanged(_ state: AvahiEntryGroupState, number: Int32) {
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED: tell(.published(name: service.name))
        case AVAHI_ENTRY_GROUP_COLLISION: rename()
        case AVAHI_ENTRY_GROUP_FAILURE: fail(AvahiError(number: number))
        default: break
        }
    }

    private func adoptClientState() {
        switch clientState {
        case AVAHI_CLIENT_S_RUNNING: announce()
        // The host's own name is changing: announcements under the old name must be withdrawn until it is settled.
        case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: group.map { _ = avahi_entry_group_reset($0) }
        case AVAHI_CLIENT_FAILURE: wait(AvahiError(number: clientError))
        default: tell(.waiting(AvahiError(.noDaemon)))
        }
    }

    // MARK: The announcement

    private func announce() {
        guard let connection, let context else { return }
        if group == nil {
            group = avahi_entry_group_new(connection, PublisherContext.groupStateChanged, context.pointer)
        }
        guard let group else { return fail(AvahiError(number: avahi_client_errno(connection))) }
        guard avahi_entry_group_is_empty(group) != 0 else { return }
        var interface = AvahiIfIndex(AVAHI_IF_UNSPEC)
        if let name = service.interface {
            let index = if_nametoindex(name)
            guard index > 0 else { return fail(AvahiError(.operatingSystem)) }
            interface = AvahiIfIndex(index)
        }
        var list: OpaquePointerToStrings?
        for (key, value) in service.txt.sorted(by: { $0.key > $1.key }) {
            list = avahi_string_list_add_pair_arbitrary(list, key, value, value.count)
        }
        defer { avahi_string_list_free(list) }
        let result = avahi_entry_group_add_service_strlst(
            group, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(rawValue: 0), service.name,
            service.type, nil, nil, service.port, list)
        if result == AVAHI_ERR_COLLISION { return rename() }
        guard result == 0 else { return fail(AvahiError(number: result)) }
        let committed = avahi_entry_group_commit(group)
        if committed != 0 { fail(AvahiError(number: committed)) }
    }

    private typealias OpaquePointerToStrings = UnsafeMutablePointer<AvahiStringList>

    private func rename() {
        guard let other = avahi_alternative_service_name(service.name) else { return fail(AvahiError(.noMemory)) }
        service.name = String(cString: other)
        avahi_free(other)
        if let group { avahi_entry_group_reset(group) }
        announce()
    }

    /// Reports a state, but not the repetition of the same failure.
    private func tell(_ state: State) {
        guard told != state else { return }
        told = state
        feed.yield(state)
    }

    private func fail(_ error: AvahiError) {
        tell(.failed(error))
        feed.finish()
    }

    private func wait(_ error: AvahiError) {
        tell(.waiting(error))
        retry?.cancel()
        retry = Task { [weak self] in
            do { try await Task.sleep(for: Self.retryDelay) } catch { return }
            await self?.reconnect()
        }
    }

    private func reconnect() {
        guard !isClosed else { return }
        disconnect()
        start()
    }

    private func disconnect() {
        if let connection { avahi_client_free(connection) }
        connection = nil
        group = nil
        context = nil
        clientState = AVAHI_CLIENT_CONNECTING
    }
}

/// The context that leads a C callback back to its publisher. The publisher keeps it as long as the C objects that have
/// its pointer.
private final class PublisherContext: Sendable {
    // Safe: C objects with a pointer to this live at most as long as the actor, whose deinit frees them.
    private unowned let publisher: AvahiPublisher

    init(publisher: AvahiPublisher) { self.publisher = publisher }

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let clientStateChanged: AvahiClientCallback = { handle, state, pointer in
        guard let pointer else { return }
        let number = avahi_client_errno(handle)
        let context = Unmanaged<PublisherContext>.fromOpaque(pointer).takeUnretainedValue()
        context.publisher.assumeIsolated { $0.clientStateChanged(state, number: number) }
    }

    static let groupStateChanged: AvahiEntryGroupCallback = { handle, state, pointer in
        guard let pointer else { return }
        let number = avahi_client_errno(avahi_entry_group_get_client(handle))
        let context = Unmanaged<PublisherContext>.fromOpaque(pointer).takeUnretainedValue()
        context.publisher.assumeIsolated { $0.groupStateChanged(state, number: number) }
    }
}
