import Dispatch
import Foundation
import HostInterface

/// Finds UPnP devices and services by SSDP. Available on Linux only.
///
/// The host does the searching and shares it among all extensions. Handlers run on the queue given to
/// ``start(queue:)``. A browser that nobody holds any more ends by itself.
public final class SSDPBrowser: Sendable, CustomDebugStringConvertible {
    /// How the search goes; the states are those of ``NWBrowser``. Available on Linux only.
    public typealias State = NWBrowser.State

    /// One device or service that was found. Equal if everything known of it is. Available on Linux only.
    public struct Result: Hashable, Sendable {
        /// The unique service name, which identifies it across addresses.
        public let usn: String
        /// What it was found as.
        public let searchTarget: String
        /// Where its description is; `nil` if it gives none or a malformed one.
        public let location: URL?
        /// Its announcement: upper-case name to value; bytes that are no text are replaced.
        public let headers: [String: String]
        /// Addresses it answers from, in order of preference.
        public let addresses: [NWEndpoint.Host]
        /// Where it was seen, in alphabetical order.
        public let interfaces: [NWInterface]

        /// What happened to a result. Available on Linux only.
        public enum Change: Hashable, Sendable {
            /// It was found.
            case added(Result)
            /// It is gone.
            case removed(Result)
            /// It is another now.
            case changed(old: Result, new: Result)
        }
    }

    /// What is looked for, such as `urn:schemas-upnp-org:device:MediaRenderer:1`.
    public let searchTarget: String
    /// On which interfaces. Changes after the browser was made have no effect.
    public let parameters: NWParameters

    private let proxy: BrowserProxy<Result, Result.Change>
    /// Makes a browser; it does nothing before ``start(queue:)``.
    ///
    /// - Parameters:
    ///   - searchTarget: What to look for, printable ASCII of at most 256 characters.
    ///   - parameters: On which interfaces.
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

    /// How the search goes.
    public var state: State { proxy.state }

    /// What the search waits for or failed with, one sentence; `nil` while it goes well.
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
        let isPossible =
            (1...256).contains(searchTarget.utf8.count) && searchTarget.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        proxy.start(
            queue: queue,
            request: isPossible ? BrowseRequest(kind: .ssdp, type: searchTarget, includesTXT: true) : nil,
            message: "A search target is 1 to 256 printable characters without spaces.")
    }

    /// Ends the search; the state handler is told, the results handler is not called any more.
    public func cancel() { proxy.cancel() }

    /// What is looked for and how it goes.
    public var debugDescription: String { "SSDPBrowser(\(searchTarget), \(state))" }
}

extension SSDPBrowser.Result {
    /// Reads what the host sends; `nil` if it has no name, or is seen only where the parameters do not want it.
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
