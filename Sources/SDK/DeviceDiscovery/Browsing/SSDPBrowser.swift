public import Dispatch
public import Foundation
import HostInterface

/// A browser that discovers UPnP devices and services with SSDP. Available on Linux only.
///
/// The host searches, and shares its browsers among all extensions. Handlers run on the queue of ``start(queue:)``.
/// Releasing a browser stops it.
public final class SSDPBrowser: Sendable, CustomDebugStringConvertible {
    /// The state of a browser, with the values of ``NWBrowser``. Available on Linux only.
    public typealias State = NWBrowser.State

    /// A discovered device or service. Two results are equal if all their properties are. Available on Linux only.
    public struct Result: Hashable, Sendable {
        /// The unique service name (USN), which identifies the device or service independently of its addresses.
        public let usn: String
        /// The search target that the device or service answered.
        public let searchTarget: String
        /// The URL of the description; `nil` if it is missing or malformed.
        public let location: URL?
        /// The headers of the announcement, with upper-case names. Invalid UTF-8 is replaced.
        public let headers: [String: String]
        /// The addresses from which it answers, in order of preference.
        public let addresses: [NWEndpoint.Host]
        /// The interfaces on which it is visible, in alphabetical order.
        public let interfaces: [NWInterface]

        /// A change of a result. Available on Linux only.
        public enum Change: Hashable, Sendable {
            /// The device or service was discovered.
            case added(Result)
            /// The device or service is gone.
            case removed(Result)
            /// The device or service changed.
            case changed(old: Result, new: Result)
        }
    }

    /// The search target, such as `urn:schemas-upnp-org:device:MediaRenderer:1`.
    public let searchTarget: String
    /// The parameters, of which only the interfaces count. Later changes have no effect.
    public let parameters: NWParameters

    private let proxy: BrowserProxy<Result, Result.Change>
    /// Creates a browser. It is idle until ``start(queue:)``.
    ///
    /// - Parameters:
    ///   - searchTarget: The search target, at most 256 printable ASCII characters without spaces.
    ///   - parameters: The interfaces to use.
    public convenience init(searchTarget: String, using parameters: NWParameters = .udp) {
        self.init(searchTarget: searchTarget, using: parameters, slot: DiscoverySources.shared)
    }

    package init(searchTarget: String, using parameters: NWParameters, slot: DiscoverySourceSlot) {
        self.searchTarget = searchTarget
        self.parameters = parameters
        let values = parameters.values
        proxy = BrowserProxy(
            slot: slot, item: { Result($0, parameters: values) }, change: { Result.Change($0) })
    }

    deinit { proxy.abandon() }

    /// The current state.
    public var state: State { proxy.state }

    /// The reason why the browser is waiting or has failed, as one sentence; otherwise `nil`.
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
        let isPossible =
            (1...256).contains(searchTarget.utf8.count) && searchTarget.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        proxy.start(
            queue: queue,
            request: isPossible ? BrowseRequest(kind: .ssdp, type: searchTarget, includesTXT: true) : nil,
            message: "A search target is 1 to 256 printable characters without spaces.")
    }

    /// Stops the browser. The state handler is called; the results handler isn't called any longer.
    public func cancel() { proxy.cancel() }

    /// The search target and the state.
    public var debugDescription: String { "SSDPBrowser(\(searchTarget), \(state))" }
}

extension SSDPBrowser.Result {
    /// Creates a result from the host's item; `nil` if it has no name, or isn't visible on an allowed interface.
    init?(_ item: BrowseItem, parameters: NWParameters.Values) {
        guard !item.name.isEmpty,
            let interfaces = parameters.wanted(of: item.interfaces.compactMap(NWInterface.init(name:)))
        else { return nil }
        usn = item.name
        searchTarget = item.type
        let url = item.location.flatMap { URL(string: $0) }
        location = url?.scheme == nil || url?.host == nil ? nil : url
        headers = Dictionary(
            item.txt.map { ($0.uppercased(), String(decoding: $1, as: UTF8.self)) }, uniquingKeysWith: min)
        addresses = parameters.hosts(of: item.addresses)
        self.interfaces = interfaces
    }
}

extension SSDPBrowser.Result.Change {
    init?(_ change: BrowseResults<SSDPBrowser.Result>.Change) {
        switch (change.old, change.new) {
        case (nil, nil): return nil
        case (nil, let new?): self = .added(new)
        case (let old?, nil): self = .removed(old)
        case (let old?, let new?): self = .changed(old: old, new: new)
        }
    }
}
