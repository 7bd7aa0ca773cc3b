import CAvahi

extension AvahiClient {
    /// Makes as many resolvers as the limits allow.
    ///
    /// They are kept: a changed address, port or TXT record is reported to a resolver and never to a browser.
    func startResolvers() {
        guard let connection else { return }
        while let start = queue.next() {
            if let displaced = start.displaced { free(displaced) }
            let key = start.key
            let service = key.service
            let context = CallbackContext(client: self, browse: key.browse, service: service)
            // The address family is tied to the row's: else an IPv4 row may be answered with an IPv6 address.
            let handle = avahi_service_resolver_new(
                connection, service.interfaceIndex, service.family.avahiProtocol, service.name, service.type,
                service.domain, service.family.avahiProtocol, AvahiLookupFlags(0), CallbackContext.resolverEvent,
                context.pointer)
            guard let handle else {
                let error = AvahiError(number: avahi_client_errno(connection))
                queue.remove(key)
                guard error.code != .disconnected && error.code != .badState else { return }
                browses[key.browse]?.sink.yield(.unresolved(service, error))
                continue
            }
            resolvers[key] = Resolver(handle: handle, context: context)
        }
    }

    func resolved(_ key: ResolverKey, _ resolution: AvahiResolution) {
        queue.answered(key)
        if browses[key.browse]?.rows.resolve(key.service, resolution) == true {
            browses[key.browse]?.sink.yield(.resolved(key.service, resolution))
        }
        startResolvers()
    }

    /// Handles a resolver without an answer in time, or with expired records. The resolver stays: it keeps asking and
    /// reports a late answer.
    func resolverFailed(_ key: ResolverKey, _ error: AvahiError) {
        guard error.code != .disconnected else { return }
        queue.answered(key)
        browses[key.browse]?.rows.unresolve(key.service)
        browses[key.browse]?.sink.yield(.unresolved(key.service, error))
        startResolvers()
    }

    /// Resolves a service again, which is the only way to notice a change whose announcement was lost.
    package func resolveAgain(name: String, type: String, domain: String) {
        let keys = resolvers.keys.filter {
            $0.service.name == name && $0.service.type == type && $0.service.domain == domain
        }
        for key in keys {
            dropResolver(key)
            queue.enqueue(key)
        }
        startResolvers()
    }

    /// Frees the resolver of a row and its place in the queue.
    func dropResolver(_ key: ResolverKey) {
        queue.remove(key)
        free(key)
    }

    private func free(_ key: ResolverKey) {
        guard let resolver = resolvers.removeValue(forKey: key) else { return }
        avahi_service_resolver_free(resolver.handle)
    }
}
