import CAvahi

extension AvahiClient {
    /// Makes the browser of a browse; the connection must be up.
    func startBrowser(_ identifier: Int) {
        guard let browse = browses[identifier], browse.handle == nil, let connection else { return }
        let context = CallbackContext(client: self, browse: identifier)
        let handle = avahi_service_browser_new(
            connection, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), browse.type, browse.domain,
            AvahiLookupFlags(0), CallbackContext.browserEvent, context.pointer)
        guard let handle else {
            let error = AvahiError(number: avahi_client_errno(connection))
            // A daemon that went away this moment is reported by the client's callback, which starts over.
            if error.code != .disconnected && error.code != .badState { browserFailed(identifier, error) }
            return
        }
        contexts[identifier] = context
        browses[identifier]?.handle = handle
    }

    func added(_ service: AvahiService, to identifier: Int) {
        guard let browse = browses[identifier] else { return }
        if browses[identifier]?.rows.add(service) == true {
            browse.sink.yield(.added(service))
            count { $0.add(service, to: identifier, by: 1) }
        }
        guard browse.resolves else { return }
        queue.enqueue(ResolverKey(browse: identifier, service: service))
        startResolvers()
    }

    func removed(_ service: AvahiService, from identifier: Int) {
        withdraw(service, from: identifier)
        startResolvers()
    }

    func settled(_ identifier: Int) {
        guard let lost = browses[identifier]?.rows.settle() else { return }
        for service in lost {
            browses[identifier]?.sink.yield(.removed(service))
            count { $0.add(service, to: identifier, by: -1) }
        }
        browses[identifier]?.sink.yield(.settled)
    }

    func browserFailed(_ identifier: Int, _ error: AvahiError) {
        guard error.code != .disconnected else { return }
        browses[identifier]?.sink.yield(.failed(error))
        cancel(identifier)
    }

    /// Frees the browser and the resolvers of a browse and ends its stream.
    func cancel(_ identifier: Int) {
        guard let browse = browses.removeValue(forKey: identifier) else { return }
        if let handle = browse.handle { avahi_service_browser_free(handle) }
        contexts[identifier] = nil
        count { $0.remove(identifier) }
        if browse.resolves {
            for service in browse.rows.services {
                dropResolver(ResolverKey(browse: identifier, service: service))
            }
            startResolvers()
        }
        browse.sink.finish()
    }

    private func withdraw(_ service: AvahiService, from identifier: Int) {
        guard browses[identifier]?.rows.remove(service) == true else { return }
        dropResolver(ResolverKey(browse: identifier, service: service))
        browses[identifier]?.sink.yield(.removed(service))
        count { $0.add(service, to: identifier, by: -1) }
    }
}
