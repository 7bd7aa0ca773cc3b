import CAvahi

/// The context that leads a C callback back to the actor, the browse and, for a resolver, the row.
///
/// The actor keeps it as long as the C object that has its ``pointer``.
final class CallbackContext: Sendable {
    // Safe: C objects with a pointer to this live at most as long as the actor, whose deinit frees them.
    private unowned let client: AvahiClient
    private let browse: Int
    private let service: AvahiService?

    init(client: AvahiClient, browse: Int = 0, service: AvahiService? = nil) {
        self.client = client
        self.browse = browse
        self.service = service
    }

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> CallbackContext? {
        pointer.map { Unmanaged<CallbackContext>.fromOpaque($0).takeUnretainedValue() }
    }

    static let clientStateChanged: AvahiClientCallback = { handle, state, pointer in
        guard let context = from(pointer) else { return }
        let number = avahi_client_errno(handle)
        context.client.assumeIsolated { $0.stateChanged(state, number: number) }
    }

    static let browserEvent: AvahiServiceBrowserCallback = {
        handle, interface, family, event, name, type, domain, _, pointer in
        guard let context = from(pointer) else { return }
        let browse = context.browse
        switch event {
        case AVAHI_BROWSER_NEW, AVAHI_BROWSER_REMOVE:
            guard let name, let type, let domain, let family = AvahiFamily(family) else { return }
            let service = AvahiService(
                name: String(cString: name), type: String(cString: type), domain: String(cString: domain),
                interfaceIndex: interface, interfaceName: AvahiRecords.interfaceName(interface), family: family)
            let isNew = event == AVAHI_BROWSER_NEW
            context.client.assumeIsolated { isNew ? $0.added(service, to: browse) : $0.removed(service, from: browse) }
        case AVAHI_BROWSER_ALL_FOR_NOW:
            context.client.assumeIsolated { $0.settled(browse) }
        case AVAHI_BROWSER_FAILURE:
            let error = AvahiError(number: avahi_client_errno(avahi_service_browser_get_client(handle)))
            context.client.assumeIsolated { $0.browserFailed(browse, error) }
        default: break
        }
    }

    static let resolverEvent: AvahiServiceResolverCallback = {
        handle, _, _, event, _, _, _, host, address, port, text, _, pointer in
        guard let context = from(pointer), let service = context.service else { return }
        let key = AvahiClient.ResolverKey(browse: context.browse, service: service)
        if event == AVAHI_RESOLVER_FOUND, let host {
            let resolution = AvahiResolution(
                host: String(cString: host),
                address: address.flatMap {
                    AvahiRecords.address($0.pointee, family: service.family, interfaceName: service.interfaceName)
                },
                port: port, txt: AvahiRecords.textRecord(AvahiRecords.strings(text)))
            context.client.assumeIsolated { $0.resolved(key, resolution) }
        } else {
            let error = AvahiError(number: avahi_client_errno(avahi_service_resolver_get_client(handle)))
            context.client.assumeIsolated { $0.resolverFailed(key, error) }
        }
    }
}
