import DeviceDiscovery
import Foundation
import MulticastDNS
import ReferenceProtocol

@testable import Reachability
@testable import SSDP

extension FuzzTarget {
    /// Answers of multicast DNS to the question whose number they begin with.
    static let dns = FuzzTarget(name: "dns", outcomes: ["refused", "empty", "records"]) { bytes in
        let identifier = bytes.count < 2 ? 0 : UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        guard let records = DNSMessage.records(bytes, answering: identifier) else { return "refused" }
        for record in records {
            try check(record.name)
            switch record.content {
            case .pointer(let name), .service(let name, _): try check(name)
            case .address(let address): try demand([4, 16].contains(address.count), "an address of \(address)")
            case .text(let strings):
                let record = Data(strings.flatMap { [UInt8($0.count)] + $0 })
                try demand(NWTXTRecord(record) != nil, "strings that are no TXT record")
            }
        }
        return records.isEmpty ? "empty" : "records"
    }

    private static func check(_ name: DNSName) throws {
        try demand(DNSName(labels: name.labels) == name, "a name that is none: \(name.labels)")
        let question = DNSMessage.query(name, .text, identifier: 1)
        try demand(question.count <= 12 + DNSName.maximumLength + 4, "a name too long to ask for")
    }

    /// The bytes of a TXT record.
    static let txt = FuzzTarget(
        name: "txt", words: ["=", "version=1", "auth=pin4", "group=0", "id=x"],
        outcomes: ["refused", "record", "receiver"]
    ) { bytes in
        guard let record = NWTXTRecord(Data(bytes)) else { return "refused" }
        try demand(NWTXTRecord(record.data) == record, "another record when read again: \(record)")
        for (key, value) in record {
            try demand(record.getEntry(for: key.uppercased()) == value, "\(key) is not found again")
        }
        guard let receiver = ReferenceAnnouncement(txt: record.dictionary) else { return "record" }
        try demand(ReferenceAnnouncement(txt: receiver.txt) == receiver, "another receiver when read again")
        return "receiver"
    }

    /// Text that should be a URL of a description, or an address.
    static let addresses = FuzzTarget(
        name: "addresses",
        words: ["http://", "https://", "[", "]", "%", "%25eth0", "fe80::1", "10.77.0.1", ":", "65536", "@", "/", "::"],
        outcomes: ["refused", "url", "address"]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if let endpoint = NumericEndpoint(address: text, port: 80) {
            try demand(endpoint.address == text, "an address that is another")
            try demand(endpoint.withRaw { $1 > 0 } != nil, "an address without a socket address")
            return "address"
        }
        guard let url = LocationURL(text) else { return "refused" }
        try demand(!url.host.isEmpty && url.text == text, "a URL without a host")
        try demand(url.scoped(to: "eth0").utf8.count <= LocationURL.maximumLength + 16, "a URL that grew")
        return "url"
    }
}
