import DeviceDiscovery
import Foundation
import HostInterface
import Synchronization

/// The network as the extension's `NWBrowser` and `SSDPBrowser` see it: what a test put there.
///
/// What is announced before a browser starts is found when it does.
public final class TestNetwork: Sendable {
    private struct Browser {
        let request: BrowseRequest
        let events: AsyncStream<BrowseEvent>.Continuation
    }

    /// A service that the extension announces, see `BonjourAnnouncement`.
    public struct OwnService: Sendable, Hashable {
        public let name: String
        /// `_kitchen._tcp`.
        public let type: String
        public let port: Int
        /// The TXT record's texts.
        public let txt: [String: String]
        /// Where it is announced; `nil` for everywhere.
        public let interface: String?
    }

    private struct State {
        var services: [String: BrowseItem] = [:]
        var own: [Int: OwnService] = [:]
        var browsers: [Int: Browser] = [:]
        var last = 0

        /// In the order they were started.
        func browsing(for type: String) -> [Browser] {
            browsers.sorted { $0.key < $1.key }.map(\.value).filter { $0.request.type == type }
        }
    }

    private let state = Mutex(State())

    init() {}

    /// The service types and search targets that are browsed for now, sorted.
    public var browsedTypes: [String] { state.withLock { $0.browsers.values.map(\.request.type).sorted() } }

    /// What the extension itself announces now, in the order it began; its manifest is not asked.
    public var ownServices: [OwnService] {
        state.withLock { state in state.own.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Announces a Bonjour service, or announces it anew with another record, address or port.
    ///
    /// - Parameters:
    ///   - name: The instance name.
    ///   - type: `_kitchen._tcp`.
    ///   - addresses: Numeric, in order of preference; none for a service that cannot be resolved yet.
    ///   - txt: Its TXT record.
    public func announce(
        _ name: String, type: String, host: String = "device.local", addresses: [String] = ["192.0.2.1"],
        port: Int = 9000, txt: [String: String] = [:]
    ) {
        put(
            BrowseItem(
                name: name, type: type, domain: "local", interfaces: ["eth0"], addresses: addresses, host: host,
                port: port, txt: txt.mapValues { Data($0.utf8) }))
    }

    /// Announces a UPnP device or service.
    ///
    /// - Parameters:
    ///   - usn: Its unique service name.
    ///   - searchTarget: What it is found as.
    ///   - location: Where its description is.
    public func announce(usn: String, searchTarget: String, location: URL, addresses: [String] = ["192.0.2.1"]) {
        put(
            BrowseItem(
                name: usn, type: searchTarget, domain: "", interfaces: ["eth0"], addresses: addresses,
                txt: ["LOCATION": Data(location.absoluteString.utf8)], location: location.absoluteString))
    }

    /// Takes a service or UPnP device away.
    ///
    /// - Parameters:
    ///   - name: The instance name, or the unique service name.
    ///   - type: The service type, or the search target.
    public func withdraw(_ name: String, type: String) {
        state.withLock { state in
            for (key, item) in state.services where item.name == name && item.type == type {
                state.services[key] = nil
                for browser in state.browsing(for: type) { browser.events.yield(BrowseEvent(.lost, item: item)) }
            }
        }
    }

    /// Holds browsers of a type up, as a network that is down does; they go on at the next announcement.
    public func interrupt(_ type: String, message: String) {
        tell(type, BrowseEvent(.waiting, message: message))
    }

    /// Ends browsers of a type for good.
    public func fail(_ type: String, message: String) { tell(type, BrowseEvent(.failed, message: message)) }

    private func put(_ item: BrowseItem) {
        state.withLock { state in
            let kind: BrowseEvent.Kind = state.services.updateValue(item, forKey: item.key) == nil ? .found : .changed
            for browser in state.browsing(for: item.type) {
                browser.events.yield(BrowseEvent(.ready))
                browser.events.yield(BrowseEvent(kind, item: item))
            }
        }
    }

    private func tell(_ type: String, _ event: BrowseEvent) {
        state.withLock { state in for browser in state.browsing(for: type) { browser.events.yield(event) } }
    }
}

extension TestNetwork: DiscoverySource {
    package func browse(_ request: BrowseRequest) -> AsyncStream<BrowseEvent> {
        let (stream, events) = AsyncStream.makeStream(of: BrowseEvent.self)
        let number = state.withLock { state in
            state.last += 1
            state.browsers[state.last] = Browser(request: request, events: events)
            events.yield(BrowseEvent(.ready))
            for item in state.services.values.sorted(by: { $0.key < $1.key }) where item.type == request.type {
                events.yield(BrowseEvent(.found, item: item))
            }
            events.yield(BrowseEvent(.settled))
            return state.last
        }
        events.onTermination = { [weak self] _ in self?.state.withLock { $0.browsers[number] = nil } }
        return stream
    }

    package func announce(_ request: AnnounceRequest) -> AsyncStream<AnnounceEvent> {
        let (stream, events) = AsyncStream.makeStream(of: AnnounceEvent.self)
        let service = OwnService(
            name: request.name, type: request.type, port: request.port,
            txt: request.txt.mapValues { String(decoding: $0, as: UTF8.self) }, interface: request.interface)
        let number = state.withLock { state in
            state.last += 1
            state.own[state.last] = service
            return state.last
        }
        events.yield(.published(request.name))
        events.onTermination = { [weak self] _ in self?.state.withLock { $0.own[number] = nil } }
        return stream
    }
}
