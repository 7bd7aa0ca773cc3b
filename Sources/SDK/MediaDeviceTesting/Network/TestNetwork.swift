public import DeviceDiscovery
import Foundation
package import HostInterface
import Synchronization

/// The network that the extension's `NWBrowser` and `SSDPBrowser` see, as set up by a test.
///
/// A browser also discovers services that were announced before it started.
public final class TestNetwork: Sendable {
    private struct Browser {
        let request: BrowseRequest
        let events: AsyncStream<BrowseEvent>.Continuation
    }

    /// A service that the extension announces with `BonjourAnnouncement`.
    public struct OwnService: Sendable, Hashable {
        /// The instance name.
        public let name: String
        /// The service type, such as `_kitchen._tcp`.
        public let type: String
        /// The port.
        public let port: Int
        /// The texts of the TXT record.
        public let txt: [String: String]
        /// The name of the interface; `nil` for all.
        public let interface: String?
    }

    private struct State {
        var services: [String: BrowseItem] = [:]
        var own: [Int: OwnService] = [:]
        var browsers: [Int: Browser] = [:]
        var last = 0

        /// Returns the browsers of a type, in order of their start.
        func browsing(for type: String) -> [Browser] {
            browsers.sorted { $0.key < $1.key }.map(\.value).filter { $0.request.type == type }
        }
    }

    private let state = Mutex(State())

    init() {}

    /// The service types and search targets with a running browser, sorted.
    public var browsedTypes: [String] { state.withLock { $0.browsers.values.map(\.request.type).sorted() } }

    /// The services that the extension announces, in order of their start. The manifest isn't checked.
    public var ownServices: [OwnService] {
        state.withLock { state in state.own.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Announces a Bonjour service, or updates its record, addresses or port.
    ///
    /// - Parameters:
    ///   - name: The instance name.
    ///   - type: The service type, such as `_kitchen._tcp`.
    ///   - host: The host name.
    ///   - addresses: Numeric addresses in order of preference; empty for a service that can't be resolved yet.
    ///   - port: The port.
    ///   - txt: The TXT record.
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
    ///   - usn: The unique service name.
    ///   - searchTarget: The search target that it answers.
    ///   - location: The URL of its description.
    ///   - addresses: Numeric addresses in order of preference.
    public func announce(usn: String, searchTarget: String, location: URL, addresses: [String] = ["192.0.2.1"]) {
        put(
            BrowseItem(
                name: usn, type: searchTarget, domain: "", interfaces: ["eth0"], addresses: addresses,
                txt: ["LOCATION": Data(location.absoluteString.utf8)], location: location.absoluteString))
    }

    /// Withdraws a service or UPnP device.
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

    /// Delays the browsers of a type, like a network that is down. They continue at the next announcement.
    public func interrupt(_ type: String, message: String) {
        tell(type, BrowseEvent(.waiting, message: message))
    }

    /// Fails the browsers of a type.
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
