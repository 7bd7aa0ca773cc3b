public import Dispatch
import Foundation
import HostInterface
import Synchronization

/// A Bonjour announcement of a service of this program. Available on Linux only.
///
/// The host announces the service; the program itself listens at the port. An extension declares the type in
/// `MDHostAnnouncedServices` in its `Info.plist`, and can announce eight services at a time. The handler runs on the
/// queue of ``start(queue:)``. Releasing an announcement withdraws it.
public final class BonjourAnnouncement: Sendable, CustomDebugStringConvertible {
    /// The state of an announcement.
    public enum State: Hashable, Sendable {
        /// The announcement isn't started.
        case setup
        /// The service is announced under this name.
        case published(name: String)
        /// The announcement is delayed and continues by itself.
        case waiting(NWError)
        /// The announcement has failed and doesn't retry: `kDNSServiceErr_PolicyDenied` for a type that isn't declared,
        /// `kDNSServiceErr_Refused` for too many announcements.
        case failed(NWError)
        /// The announcement was ended by ``BonjourAnnouncement/cancel()``.
        case cancelled
    }

    private struct Shared {
        var state = State.setup
        var message: String?
        var queue: DispatchQueue?
        var handler: (@Sendable (State) -> Void)?
        var task: Task<Void, Never>?
    }

    private let request: AnnounceRequest
    private let slot: DiscoverySourceSlot
    private let shared = Mutex(Shared())

    /// Creates an announcement. It is idle until ``start(queue:)``.
    ///
    /// - Parameters:
    ///   - name: The instance name, 1 to 63 bytes. The host appends a number if another service on the network has the
    ///     name.
    ///   - type: The service type, such as `_http._tcp`.
    ///   - port: The port on which this program listens.
    ///   - txtRecord: The TXT record, at most 1,300 bytes.
    ///   - parameters: The parameters, of which only ``NWParameters/requiredInterface`` counts.
    public convenience init(
        name: String, type: String, port: NWEndpoint.Port, txtRecord: NWTXTRecord = NWTXTRecord(),
        using parameters: NWParameters = .tcp
    ) {
        self.init(
            name: name, type: type, port: port, txtRecord: txtRecord, using: parameters, slot: DiscoverySources.shared)
    }

    package init(
        name: String, type: String, port: NWEndpoint.Port, txtRecord: NWTXTRecord, using parameters: NWParameters,
        slot: DiscoverySourceSlot
    ) {
        var txt: [String: Data] = [:]
        for (key, value) in txtRecord { txt[key] = Data(value.bytes ?? []) }
        request = AnnounceRequest(
            name: name, type: type.hasSuffix(".") ? String(type.dropLast()) : type, port: Int(port.rawValue), txt: txt,
            interface: parameters.requiredInterface?.name)
        self.slot = slot
    }

    deinit { shared.withLock { $0.task }?.cancel() }

    /// The current state.
    public var state: State { shared.withLock { $0.state } }

    /// The reason why the announcement is waiting or has failed, as one sentence; otherwise `nil`.
    public var stateMessage: String? { shared.withLock { $0.message } }

    /// A handler that receives every new state, in order.
    public var stateUpdateHandler: (@Sendable (State) -> Void)? {
        get { shared.withLock { $0.handler } }
        set { shared.withLock { $0.handler = newValue } }
    }

    /// Starts the announcement. Only the first call has an effect, and none after ``cancel()``.
    ///
    /// - Parameter queue: The serial queue for the handler.
    public func start(queue: DispatchQueue) {
        let isFirst = shared.withLock { shared in
            guard shared.queue == nil, shared.state == .setup else { return false }
            shared.queue = queue
            return true
        }
        guard isFirst else { return }
        if let flaw = request.flaw { return move(to: .failed(.badParameter), "It cannot be announced: \(flaw).") }
        if slot.current == nil {
            move(
                to: .waiting(.serviceNotRunning),
                "This program is not connected to the host, which does the announcing.")
        }
        let task = Task { [weak self, slot, request] in
            guard let source = await slot.source(), !Task.isCancelled else { return }
            for await event in source.announce(request) {
                guard let self, !Task.isCancelled else { return }
                receive(event)
            }
            self?.move(to: .failed(.connectionLost), "The host ended the announcement.")
        }
        let isOver = shared.withLock { shared in
            guard !shared.state.isOver else { return true }
            shared.task = task
            return false
        }
        if isOver { task.cancel() }
    }

    /// Withdraws the announcement. The handler receives `.cancelled`.
    public func cancel() { move(to: .cancelled, nil) }

    /// The name, type and state.
    public var debugDescription: String { "BonjourAnnouncement(\(request.name), \(request.type), \(state))" }

    private func receive(_ event: AnnounceEvent) {
        switch event.kind {
        case .published: move(to: .published(name: event.name ?? request.name), nil)
        case .waiting: move(to: .waiting(.serviceNotRunning), event.message)
        case .failed: move(to: .failed(NWError(event.refusal)), event.message)
        }
    }

    private func move(to state: State, _ message: String?) {
        let task: Task<Void, Never>? = shared.withLock { shared in
            guard !shared.state.isOver else { return nil }
            shared.message = message
            guard shared.state != state else { return nil }
            shared.state = state
            // Under the lock: a serial queue then delivers in the order of the states.
            shared.queue?.async { self.tell(state) }
            guard state.isOver else { return nil }
            defer { shared.task = nil }
            return shared.task
        }
        task?.cancel()
    }

    private func tell(_ state: State) {
        let handler = shared.withLock { shared in
            // Handlers often hold their announcement; an ended one lets go of them.
            defer { if state.isOver { shared.handler = nil } }
            return shared.handler
        }
        handler?(state)
    }
}

extension BonjourAnnouncement.State {
    /// A Boolean value that indicates whether the state is final.
    fileprivate var isOver: Bool {
        switch self {
        case .cancelled, .failed: true
        case .setup, .published, .waiting: false
        }
    }
}

extension NWError {
    fileprivate init(_ refusal: AnnounceEvent.Refusal?) {
        let code =
            switch refusal {
            case .notDeclared: kDNSServiceErr_PolicyDenied
            case .tooMany: kDNSServiceErr_Refused
            case .invalid: kDNSServiceErr_BadParam
            case .unsupported: kDNSServiceErr_Unsupported
            case nil: kDNSServiceErr_Unknown
            }
        self = .dns(DNSServiceErrorType(code))
    }
}
