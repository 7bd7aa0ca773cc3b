extension DBusConnection {
    private static let broker = "org.freedesktop.DBus"
    private static let brokerPath = "/org/freedesktop/DBus"

    /// Takes a well-known name, without queueing for it or replacing its owner.
    ///
    /// Peer to peer, the server role answers to the name from then on; the client role has no bus to ask.
    /// - Throws: ``DBusError/Name/addressInUse`` if another connection has it.
    package func requestName(_ name: String) async throws(DBusError) {
        guard kind == .bus else { return addPeerName(name) }
        let doNotQueue: UInt32 = 4
        let reply = try await call(
            Self.broker, path: Self.brokerPath, interface: Self.broker, member: "RequestName",
            [.string(name), .uint32(doNotQueue)])
        // 1: primary owner, 4: already owner (D-Bus specification, "org.freedesktop.DBus.RequestName").
        guard let code = reply.first?.asInt64, code == 1 || code == 4 else {
            throw DBusError(name: DBusError.Name.addressInUse, message: "the bus name \(name) has an owner")
        }
    }

    package func releaseName(_ name: String) async throws(DBusError) {
        guard kind == .bus else { return removePeerName(name) }
        _ = try await call(
            Self.broker, path: Self.brokerPath, interface: Self.broker, member: "ReleaseName", [.string(name)])
    }

    /// Returns the process that has a name, by the bus.
    package func processID(
        of name: String, timeout: Duration = .seconds(25)
    ) async throws(DBusError) -> Int32 {
        let reply = try await call(
            Self.broker, path: Self.brokerPath, interface: Self.broker, member: "GetConnectionUnixProcessID",
            [.string(name)], timeout: timeout)
        guard let value = reply.first?.asInt64, let processID = Int32(exactly: value) else {
            throw .invalidArguments("the broker knows no process of \(name)")
        }
        return processID
    }

    /// Calls `onGone` on the loop, once, when the unique name leaves the bus, also if it has left already.
    ///
    /// - Returns: For ``unsubscribe(_:)``.
    func watchName(_ name: String, onGone: @escaping @Sendable () -> Void) throws(DBusError) -> UInt64 {
        let identifier = makeIdentifier()
        let rule = MatchRule(
            sender: Self.broker, path: Self.brokerPath, interface: Self.broker, member: "NameOwnerChanged",
            firstArgument: name)
        let leave = { @Sendable [weak self] in
            guard let self else { return }
            assumeIsolated { connection in
                guard connection.subscriptions[identifier] != nil else { return }
                connection.unsubscribe(identifier)
                onGone()
            }
        }
        try subscribe(
            identifier, rule,
            receive: { signal in
                if signal.arguments.count == 3, signal.arguments[2].asString == "" { leave() }
            },
            installed: { [weak self] error in
                // It may have left before the rule was there.
                guard error == nil, let self else { return }
                assumeIsolated { try? $0.checkName(name, leave) }
            })
        return identifier
    }

    private func checkName(_ name: String, _ leave: @escaping @Sendable () -> Void) throws(DBusError) {
        try startCall(
            makeIdentifier(), Self.broker, path: Self.brokerPath, interface: Self.broker, member: "NameHasOwner",
            [.string(name)], timeout: .seconds(25)
        ) { result in
            if case .success(let values) = result, values.first?.asBool == false { leave() }
        }
    }
}
