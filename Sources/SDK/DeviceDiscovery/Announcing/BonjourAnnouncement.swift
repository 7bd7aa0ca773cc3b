import Dispatch
import Foundation
import HostInterface
import Synchronization

/// A service of this program that others on the network can find. Available on Linux only.
///
/// The host does the announcing, as it does the searching of ``NWBrowser``; the program listens itself, at the port it says.
/// Of an extension, the `Info.plist` has to name the type in `MDHostAnnouncedServices`, and it can announce eight at a time. The
/// handler runs on the queue given to ``start(queue:)``. An announcement that nobody holds any more is taken back.
public final class BonjourAnnouncement: Sendable, CustomDebugStringConvertible {
    /// How the announcement goes.
    public enum State: Hashable, Sendable {
        /// Not started.
        case setup
        /// Others can find it, under this name.
        case published(name: String)
        /// Held up; goes on by itself.
        case waiting(NWError)
        /// Ended for good: `kDNSServiceErr_PolicyDenied` for a type that the program may not announce,
        /// `kDNSServiceErr_Refused` for one announcement too many.
        case failed(NWError)
        /// Ended by ``BonjourAnnouncement/cancel()``.
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

    /// Makes an announcement; nobody sees it before ``start(queue:)``.
    ///
    /// - Parameters:
    ///   - name: The instance name, 1 to 63 bytes. Where another service of the network has it, the host appends a number.
    ///   - type: The service type, such as `_http._tcp`.
    ///   - port: Where this program listens.
    ///   - txtRecord: What is said of the service, 1,300 bytes at most.
    ///   - parameters: On which interface, by ``NWParameters/requiredInterface``; the others do not matter.
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

    /// How the announcement goes.
    public var state: State { shared.withLock { $0.state } }

    /// What the announcement waits for or failed with, one sentence; `nil` while it goes well.
    public var stateMessage: String? { shared.withLock { $0.message } }

    /// Told of every new state, in order.
    public var stateUpdateHandler: (@Sendable (State) -> Void)? {
        get { shared.withLock { $0.handler } }
        set { shared.withLock { $0.handler = newValue } }
    }

    /// Starts to announce. Only the first call counts, and none after ``cancel()``.
    ///
    /// - Parameter queue: Where the handler runs; a serial one.
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

    /// Takes the announcement back; the handler is told.
    public func cancel() { move(to: .cancelled, nil) }

    /// What is announced and how it goes.
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
            // Under the lock: a serial queue tells in the order of the states.
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
    /// Whether nothing can follow.
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
