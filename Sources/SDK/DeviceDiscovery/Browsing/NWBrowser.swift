import Dispatch
import HostInterface

/// Finds Bonjour services on the network.
///
/// The host does the searching and shares it among all extensions. Handlers run on the queue given to
/// ``start(queue:)``. A browser that nobody holds any more ends by itself.
public final class NWBrowser: Sendable, CustomDebugStringConvertible {
    /// What to look for.
    public enum Descriptor: Hashable, Sendable {
        /// Services by name only: type such as `_http._tcp`, domain or `nil` for the local one.
        case bonjour(type: String, domain: String?)
        /// Services with their TXT records and addresses, kept up to date.
        case bonjourWithTXTRecord(type: String, domain: String?)
    }

    /// How the search goes.
    public enum State: Hashable, Sendable {
        /// Not started.
        case setup
        /// Under way.
        case ready
        /// Ended for good; a new browser is needed.
        case failed(NWError)
        /// Ended by ``NWBrowser/cancel()``.
        case cancelled
        /// Held up; goes on by itself.
        case waiting(NWError)
    }

    /// What is looked for.
    public let descriptor: Descriptor
    /// On which interfaces. Changes after the browser was made have no effect.
    public let parameters: NWParameters

    private let proxy: BrowserProxy<Result, Result.Change>

    /// Makes a browser; it does nothing before ``start(queue:)``.
    ///
    /// - Parameters:
    ///   - descriptor: What to look for.
    ///   - parameters: On which interfaces.
    public convenience init(for descriptor: Descriptor, using parameters: NWParameters) {
        self.init(for: descriptor, using: parameters, slot: DiscoverySources.shared)
    }

    package init(for descriptor: Descriptor, using parameters: NWParameters, slot: DiscoverySourceSlot) {
        self.descriptor = descriptor
        self.parameters = parameters
        let (includesTXT, values) = (descriptor.includesTXT, parameters.values)
        proxy = BrowserProxy(
            slot: slot, item: { Result($0, includesTXT: includesTXT, parameters: values) },
            change: { Result.Change($0) })
    }

    deinit { proxy.abandon() }

    /// How the search goes.
    public var state: State { proxy.state }

    /// What the search waits for or failed with, one sentence; `nil` while it goes well. Available on Linux only.
    public var stateMessage: String? { proxy.message }

    /// The queue the handlers run on; `nil` before ``start(queue:)``.
    public var queue: DispatchQueue? { proxy.queue }

    /// Everything found so far, as ``browseResultsChangedHandler`` was told last.
    public var browseResults: Set<Result> { proxy.items }

    /// Told of every new state.
    public var stateUpdateHandler: (@Sendable (State) -> Void)? {
        get { proxy.stateHandler }
        set { proxy.stateHandler = newValue }
    }

    /// Told of everything found so far and what changed since it was told last; many changes may come at once.
    public var browseResultsChangedHandler: (@Sendable (Set<Result>, Set<Result.Change>) -> Void)? {
        get { proxy.itemsHandler }
        set { proxy.itemsHandler = newValue }
    }

    /// Starts the search. Only the first call counts, and none after ``cancel()``.
    ///
    /// - Parameter queue: Where the handlers run.
    public func start(queue: DispatchQueue) {
        proxy.start(
            queue: queue, request: descriptor.request,
            message: "\(descriptor.type) is no service type: one looks like _http._tcp.")
    }

    /// Ends the search; the state handler is told, the results handler is not called any more.
    public func cancel() { proxy.cancel() }

    /// What is looked for and how it goes.
    public var debugDescription: String { "NWBrowser(\(descriptor.type), \(state))" }
}

extension NWBrowser.Descriptor {
    var type: String {
        switch self {
        case .bonjour(let type, _), .bonjourWithTXTRecord(let type, _): type
        }
    }

    fileprivate var domain: String? {
        switch self {
        case .bonjour(_, let domain), .bonjourWithTXTRecord(_, let domain): domain
        }
    }

    fileprivate var includesTXT: Bool {
        switch self {
        case .bonjour: false
        case .bonjourWithTXTRecord: true
        }
    }

    /// What to ask the host for; `nil` if the type is none.
    fileprivate var request: BrowseRequest? {
        let bare = type.hasSuffix(".") ? String(type.dropLast()) : type
        let labels = bare.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count == 2, NWEndpoint.isServiceType(labels[0], transport: labels[1]) else { return nil }
        let domain = domain.flatMap { $0.isEmpty ? nil : $0 }
        return BrowseRequest(kind: .bonjour, type: bare, domain: domain, includesTXT: includesTXT)
    }
}
