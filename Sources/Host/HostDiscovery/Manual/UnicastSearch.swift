import Dispatch
import Foundation
import HostCore
import HostInterface
import MulticastDNS
import Reachability
import SSDP
import Synchronization

/// Searches one host directly, with SSDP and mDNS queries to its address and, without an answer, a connection to the
/// usual port of the kind.
struct UnicastSearch: Sendable {
    let prober: any EndpointProbing

    /// An answer to a search may take a second (MX), and a datagram may be lost.
    private static let patience = Duration.milliseconds(1_300)
    private static let attempts = 2
    private static let maximumInstances = 32

    /// Ports by which services of a kind are found that do not announce themselves.
    static let usualPorts = [
        "_mpd._tcp": 6_600, "_googlecast._tcp": 8_009, "_airplay._tcp": 7_000, "_raop._tcp": 5_000,
        "_fcast._tcp": 46_899, "_xbmc-jsonrpc-h._tcp": 8_080, "_snapcast-http._tcp": 1_780,
        "_snapcast-tcp._tcp": 1_705, "_mopidy-http._tcp": 6_680,
    ]

    /// - Throws: ``HostError`` `unreachable`, `invalid-argument`.
    func findings(
        at address: ManualAddress, for kinds: [DeclaredKind]
    ) async throws(HostError) -> [ManualDevice.Finding] {
        let addresses = await Self.resolve(address.host)
        guard !addresses.isEmpty else {
            throw HostError(.unreachable, "The name “\(address.host)” has no address here.")
        }
        let announced = await withTaskGroup { group in
            for kind in kinds {
                group.addTask {
                    switch kind.kind {
                    case .bonjour: await services(kind.type, at: addresses)
                    case .ssdp: await devices(kind.type, at: addresses)
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        let wanted = announced.filter { address.port == nil || $0.item.port == address.port }
        let found = wanted.isEmpty ? try await mute(address, addresses, kinds) : wanted
        guard !found.isEmpty else {
            let names = Set(kinds.map(\.type)).sorted().joined(separator: ", ")
            throw HostError(
                .unreachable,
                "No supported device answers at \(address.text) (searched for \(names)).")
        }
        return found.sorted { ($0.type, $0.item.name) < ($1.type, $1.item.name) }
    }

    // MARK: mDNS

    private func services(_ type: String, at addresses: [String]) async -> [ManualDevice.Finding] {
        guard let name = DNSName("\(type).local") else { return [] }
        let answers = await ask(name, .pointer, addresses) { records in
            records.contains { $0.name == name }
        }
        var instances: [DNSName] = []
        for case .pointer(let instance) in answers.filter({ $0.name == name }).map(\.content)
        where !instances.contains(instance) && instance.hasSuffix(name) && instances.count < Self.maximumInstances {
            instances.append(instance)
        }
        var findings: [ManualDevice.Finding] = []
        for instance in instances {
            var records = answers.filter { $0.name == instance }
            for missing in [DNSRecordType.service, .text] where !Self.has(missing, records) {
                records += await ask(instance, missing, addresses) { Self.has(missing, $0) }
                    .filter { $0.name == instance }
            }
            if let item = Self.item(instance, type, records, addresses) {
                findings.append(ManualDevice.Finding(kind: .bonjour, type: type, item: item))
            }
        }
        return findings
    }

    private static func has(_ type: DNSRecordType, _ records: [DNSRecord]) -> Bool {
        records.contains { record in
            switch record.content {
            case .service: type == .service
            case .text: type == .text
            case .pointer, .address: false
            }
        }
    }

    static func item(_ instance: DNSName, _ type: String, _ records: [DNSRecord], _ addresses: [String]) -> BrowseItem?
    {
        var item = BrowseItem(name: instance.first, type: type, domain: "local", addresses: addresses)
        for record in records {
            switch record.content {
            case .service(let host, let port):
                item.host = host.dotted
                item.port = Int(port)
            case .text(let strings):
                for string in strings {
                    let parts = string.split(
                        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                    guard let key = parts.first, !key.isEmpty else { continue }
                    let text = String(decoding: key, as: UTF8.self)
                    if item.txt[text] == nil { item.txt[text] = parts.count > 1 ? Data(parts[1]) : Data() }
                }
            case .pointer, .address: break
            }
        }
        return item.port > 0 && !item.name.isEmpty ? item : nil
    }

    private func ask(
        _ name: DNSName, _ type: DNSRecordType, _ addresses: [String],
        isAnswer: @escaping @Sendable ([DNSRecord]) -> Bool
    ) async -> [DNSRecord] {
        let endpoints = addresses.compactMap { NumericEndpoint(address: $0, port: DNSMessage.port) }
        for _ in 0..<Self.attempts {
            let identifier = UInt16.random(in: 1 ... .max)
            let question = ProbeQuestion.datagram(DNSMessage.query(name, type, identifier: identifier)) { bytes in
                DNSMessage.records(bytes, answering: identifier).map(isAnswer) ?? false
            }
            if case .answered(let bytes) = await prober.ask(endpoints, question, within: Self.patience) {
                return DNSMessage.records(bytes, answering: identifier) ?? []
            }
        }
        return []
    }

    // MARK: SSDP

    private func devices(_ type: String, at addresses: [String]) async -> [ManualDevice.Finding] {
        guard let target = try? SSDPTarget(type) else { return [] }
        for _ in 0..<Self.attempts {
            var findings: [ManualDevice.Finding] = []
            for (address, bytes) in await search(target, at: addresses) {
                guard let item = Self.item(bytes, of: type, from: address),
                    !findings.contains(where: { $0.item.key == item.key })
                else { continue }
                findings.append(ManualDevice.Finding(kind: .ssdp, type: type, item: item))
            }
            if !findings.isEmpty { return findings }
        }
        return []
    }

    /// Returns all answers from the addresses in time. One host may have several devices.
    private func search(_ target: SSDPTarget, at addresses: [String]) async -> [(String, [UInt8])] {
        await withTaskGroup { group in
            for address in addresses {
                group.addTask { () async -> [(String, [UInt8])] in
                    guard let endpoint = NumericEndpoint(address: address, port: SSDPSearch.port) else { return [] }
                    let heard = Datagrams()
                    let search = SSDPSearch(target: target).unicastDatagram(isIPv6: endpoint.isIPv6)
                    let question = ProbeQuestion.datagram(search) { bytes in
                        heard.add(bytes)
                        return false
                    }
                    _ = await prober.ask([endpoint], question, within: Self.patience)
                    return heard.all.map { (address, $0) }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    static func item(_ bytes: [UInt8], of type: String, from address: String) -> BrowseItem? {
        guard let message = try? SSDPMessage(parsing: bytes), message.kind == .response else { return nil }
        let parts = address.split(separator: "%", maxSplits: 1).map(String.init)
        let arrival = SSDPArrival(
            interface: parts.count > 1 ? parts[1] : "", family: address.contains(":") ? .ipv6 : .ipv4,
            sender: parts[0])
        guard let advertisement = try? SSDPAdvertisement(message, from: arrival),
            let text = message.headers["LOCATION"], let url = URL(string: text), let host = url.host()
        else { return nil }
        // A device that answers on one address and describes itself at another is found at both.
        let described = host.trimmingCharacters(in: ["[", "]"])
        let isNumeric = NumericEndpoint(address: described, port: 1) != nil
        return BrowseItem(
            name: advertisement.usn, type: type, domain: "",
            addresses: AddressOrder.sorted((isNumeric ? [described] : []) + [address]), host: host,
            port: url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80), location: text)
    }

    // MARK: Hosts without an answer

    /// Checks the usual ports of a host that answers no queries, because it may still have the service.
    private func mute(
        _ address: ManualAddress, _ addresses: [String], _ kinds: [DeclaredKind]
    ) async throws(HostError) -> [ManualDevice.Finding] {
        let types = kinds.filter { $0.kind == .bonjour && $0.type.hasSuffix("._tcp") }.map(\.type)
        let usual = types.filter { address.port == nil || Self.usualPorts[$0] == address.port }
        // A port doesn't reveal its service, but the person may have named it.
        let candidates = usual.isEmpty && address.protocolName != nil ? types : usual
        var findings: [ManualDevice.Finding] = []
        for type in candidates {
            guard let port = address.port ?? Self.usualPorts[type] else { continue }
            let endpoints = addresses.compactMap { NumericEndpoint(address: $0, port: port) }
            guard case .answered = await prober.ask(endpoints, .connection, within: Self.patience * 2) else { continue }
            let item = BrowseItem(
                name: address.host, type: type, domain: "local", addresses: addresses, host: address.host, port: port)
            findings.append(ManualDevice.Finding(kind: .bonjour, type: type, item: item))
        }
        if findings.isEmpty, candidates.isEmpty, let port = address.port {
            let endpoints = addresses.compactMap { NumericEndpoint(address: $0, port: port) }
            if case .answered = await prober.ask(endpoints, .connection, within: Self.patience * 2) {
                throw HostError(
                    .invalidArgument,
                    "\(address.text) answers but does not say what it is; name it with --protocol.")
            }
        }
        return findings
    }

    // MARK: Names

    /// Returns the numeric addresses of a host, in the order to try. A numeric address resolves to itself.
    static func resolve(_ host: String) async -> [String] {
        if NumericEndpoint(address: host, port: 1) != nil { return [host] }
        // It may wait for a server: not on a thread that others need.
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: AddressOrder.sorted(lookUp(host))) }
        }
    }

    private static func lookUp(_ host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var addresses: [String] = []
        var node = first
        while let entry = node {
            defer { node = entry.pointee.ai_next }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard
                getnameinfo(
                    entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0,
                    NI_NUMERICHOST) == 0
            else { continue }
            addresses.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        return addresses
    }
}

/// The datagrams received for one query.
private final class Datagrams: Sendable {
    private static let limit = 64
    private let heard = Mutex<[[UInt8]]>([])

    func add(_ bytes: [UInt8]) {
        heard.withLock { if $0.count < Self.limit { $0.append(bytes) } }
    }

    var all: [[UInt8]] { heard.withLock { $0 } }
}
