import HostInterface
import Testing

@testable import HostCore

struct DeclarationRulesTests {
    private func status(_ change: (inout ExtensionStatus) -> Void) -> ExtensionStatus {
        var status = ExtensionStatus(id: "org.example.kitchen", name: "Kitchen", path: "/x.mdext", state: .running)
        change(&status)
        return status
    }

    @Test(arguments: [
        (BrowseRequest.Kind.bonjour, "_kitchen._tcp", true), (.bonjour, "_Kitchen._tcp.", true),
        (.bonjour, "_other._tcp", false), (.ssdp, "upnp:rootdevice", true), (.ssdp, "ssdp:all", false),
        (.ssdp, "_kitchen._tcp", false),
    ])
    func browsesAreBoundByTheManifest(_ kind: BrowseRequest.Kind, _ type: String, _ isAllowed: Bool) {
        let status = status {
            $0.bonjourServices = ["_kitchen._tcp"]
            $0.ssdpSearchTargets = ["upnp:rootdevice"]
        }
        let refusal = DeclarationRules.refusal(of: BrowseRequest(kind: kind, type: type), status: status)
        #expect((refusal == nil) == isAllowed)
        if let refusal {
            let key = kind == .bonjour ? "NSBonjourServices" : "MDHostSSDPSearchTargets"
            #expect(
                refusal.message
                    == "Kitchen isn't allowed to browse for \(type). Add it to \(key) in its Info.plist.")
        }
    }

    @Test(arguments: [
        ("https://media.example.com/a.mp3", true), ("https://media.example.com:443/a.mp3", true),
        ("http://media.example.com/a.mp3", false), ("https://media.example.com:8443/a.mp3", false),
        ("https://x.media.example.com/a.mp3", false), ("http://example.org/a.mp3", true),
        ("https://cdn.EXAMPLE.org/a.mp3", true), ("https://badexample.org/a.mp3", false),
        ("https://example.org.evil.net/a.mp3", false), ("http://8.8.8.8/a.mp3", false),
        ("http://192.168.1.4:8200/a.mp3", true), ("http://172.32.0.1/a.mp3", false), ("http://172.16.0.1/a.mp3", true),
        ("http://[fe80::1%25eth0]/a.mp3", true), ("http://[2001:db8::1]/a.mp3", false), ("http://nas/a.mp3", true),
        ("http://nas.local/a.mp3", true), ("kitchen:preset/4", true),
    ])
    func addressesAreBoundByRequestedDomains(_ address: String, _ isAllowed: Bool) {
        let status = status { $0.requestedDomains = ["https://media.example.com", "example.org"] }
        let refusal = DeclarationRules.refusal(ofAddress: address, status: status)
        #expect((refusal == nil) == isAllowed, "\(address)")
        if let refusal { #expect(refusal.code == .notSupported && refusal.message.contains("MDRequestedDomains")) }
    }

    @Test func withoutDomainsEveryAddressIsAllowed() {
        let address = "https://example.net/a.mp3"
        #expect(DeclarationRules.refusal(ofAddress: address, status: status { _ in }) == nil)
        #expect(DeclarationRules.refusal(ofAddress: address, status: nil) == nil)
    }
}
