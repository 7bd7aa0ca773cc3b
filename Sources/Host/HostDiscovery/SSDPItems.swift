import Foundation
import HostInterface
import SSDP

/// The conversion of SSDP events to browse events.
enum SSDPItems {
    static func events(_ event: SSDPEvent) -> [BrowseEvent] {
        switch event {
        case .change(.found(let item)): [BrowseEvent(.found, item: browseItem(item))]
        case .change(.changed(let item)): [BrowseEvent(.changed, item: browseItem(item))]
        case .change(.lost(let item)): [BrowseEvent(.lost, item: browseItem(item))]
        case .settled: [BrowseEvent(.settled)]
        case .waiting: [BrowseEvent(.waiting, message: "No network interface is up.")]
        case .ready: [BrowseEvent(.ready)]
        }
    }

    /// Returns an item whose name is the USN, with the host and port of the location.
    static func browseItem(_ item: SSDPItem) -> BrowseItem {
        let url = URL(string: item.location)
        return BrowseItem(
            name: item.usn, type: item.target, domain: "", interfaces: item.interfaces, addresses: item.addresses,
            host: url?.host(), port: url?.port ?? (url?.scheme?.lowercased() == "https" ? 443 : 80),
            txt: item.headers.mapValues { Data($0.utf8) }, location: item.location)
    }
}
