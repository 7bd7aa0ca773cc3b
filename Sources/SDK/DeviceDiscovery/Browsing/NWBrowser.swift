public import Dispatch
import HostInterface

/// A browser that discovers Bonjour services on the network.
///
/// The host browses, and shares its browsers among all extensions. Handlers run on the queue of ``start(queue:)``.
/// Releasing a browser stops it.
public final class NWBrowser: Sendable, CustomDebugStringConvertible {
    /// The services to discover.
    public enum Descriptor: Hashable, Sendable {
        /// The names of services of a type such as `_http._tcp` in a domain; `nil` for the local one.
        case bonjour(type: String, domain: String?)
        /// Services with their TXT records and addresses, kept up to date.
        case bonjourWithTXTRecord(type: String, domain: String?)
    }

    /// The state of a browser.
    public enum State: Hashable, Sendable {
        /// The browser isn't started.
        case setup
        /// The browser is running.
        case ready
        /// The browser has failed and doesn't retry. Create another one.
        case failed(NWError)
        /// The browser was stopped by ``NWBrowser/cancel()``.
        case cancelled
        /// The browser is delayed and continues by itself.
        case waiting(NWError)
    }

    /// The services to discover.
    public let descriptor: Descriptor
    /// The parameters, of which only the interfaces count. Later changes have no effect.
    public let parameters: NWParameters

    private let proxy: BrowserProxy<Result, Result.Change>

    /// Creates a browser. It is idle until ``start(queue:)``.
    ///
    /// - Parameters:
    ///   - descriptor: The services to discover.
    ///   - parameters: The interfaces to use.
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

    /// The current state.
    public var state: State { proxy.state }

    /// The reason why the browser is waiting or has failed, as one sentence; otherwise `nil`. Available on Linux only.
    public var stateMessage: String? { proxy.message }

    /// The queue of the handlers; `nil` before ``start(queue:)``.
    public var queue: DispatchQueue? { proxy.queue }

    /// All results, as last reported to ``browseResultsChangedHandler``.
    public var browseResults: Set<Result> { proxy.items }

    /// A handler that receives every new state.
    public var stateUpdateHandler: (@Sendable (State) -> Void)? {
        get { proxy.stateHandler }
        set { proxy.stateHandler = newValue }
    }

    /// A handler that receives all results and the changes since the last call. One call can have many changes.
    public var browseResultsChangedHandler: (@Sendable (Set<Result>, Set<Result.Change>) -> Void)? {
        get { proxy.itemsHandler }
        set { proxy.itemsHandler = newValue }
    }

    /// Starts the browser. Only the first call has an effect, and none after ``cancel()``.
    ///
    /// - Parameter queue: The serial queue for the handlers.
    public func start(queue: DispatchQueue) {
        proxy.start(
            queue: queue, request: descriptor.request,
            message: "\(descriptor.type) isn't a service type. Use a form such as _http._tcp.")
    }

    /// Stops the browser. The state handler is called; the results handler isn't called any longer.
    public func cancel() { proxy.cancel() }

    /// The service type and the state.
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

    /// The request to the host; `nil` if the service type is invalid.
    fileprivate var request: BrowseRequest? {
        let bare = type.hasSuffix(".") ? String(type.dropLast()) : type
        let labels = bare.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count == 2, NWEndpoint.isServiceType(labels[0], transport: labels[1]) else { return nil }
        let domain = domain.flatMap { $0.isEmpty ? nil : $0 }
        return BrowseRequest(kind: .bonjour, type: bare, domain: domain, includesTXT: includesTXT)
    }
}
