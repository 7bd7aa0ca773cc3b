import DBus
import Testing

@Suite("Signals and objects", .timeLimit(.minutes(1)))
struct SignalTests {
    /// Everything at or below the root, up to the signal that ends a test.
    private func collect(_ stream: AsyncStream<DBusSignal>) async -> [DBusSignal] {
        var signals: [DBusSignal] = []
        for await signal in stream {
            if signal.member == "Changed", signal.arguments == [.uint32(.max)] { break }
            signals.append(signal)
        }
        return signals
    }

    private func end(_ link: Link) async {
        await link.objects.emitSignal(
            path: echoPath, interface: echoInterface, member: "Changed", [.uint32(.max)])
    }

    private func all(_ link: Link) async throws -> AsyncStream<DBusSignal> {
        try await link.client.signals(sender: Link.name, pathNamespace: echoPath)
    }

    @Test(arguments: Transport.available)
    func signalsArriveInOrder(over transport: Transport) async throws {
        let link = try await Link(transport)
        let stream = try await all(link)
        for count: UInt32 in 0..<1000 {
            await link.objects.emitSignal(
                path: echoPath, interface: echoInterface, member: "Changed", [.uint32(count)])
        }
        await end(link)
        #expect(await collect(stream).map(\.arguments) == (0..<1000).map { [.uint32($0)] })
        await link.close()
    }

    @Test(arguments: Transport.available)
    func aSubscriptionGetsOnlyWhatItAskedFor(over transport: Transport) async throws {
        let link = try await Link(transport)
        let everything = try await all(link)
        let some = try await link.client.signals(sender: Link.name, interface: echoInterface, member: "Wanted")
        for member in ["Other", "Wanted", "Changed"] {
            await link.objects.emitSignal(
                path: echoPath + "/a", interface: echoInterface, member: member, [.uint32(.max)])
        }
        #expect(await collect(everything).map(\.member) == ["Other", "Wanted"])
        await link.close()
        #expect(await some.map(\.member).reduce(into: []) { $0.append($1) } == ["Wanted"])
    }

    @Test func aValueWithAnApostropheCannotBeMatched() async throws {
        let link = try await Link(.pair)
        await #expect(throws: DBusError.self) { try await link.client.signals(interface: "a',sender='b") }
        await link.close()
    }

    @Test(arguments: Transport.available)
    func propertiesChangedComesOnceWithOnlyWhatDiffers(over transport: Transport) async throws {
        let link = try await Link(transport)
        let stream = try await all(link)
        let update = { (values: [String: DBusValue]) in
            await link.objects.update(path: echoPath, interface: echoInterface, values)
        }
        await update(["Level": .double(0.5), "Name": .string("a")])
        await update(["Level": .double(0.75), "Name": .string("a")])
        await update(["Level": .double(0.25), "Name": .string("b")])
        await update(["Level": .string("no level"), "Unknown": .byte(1)])
        await update(["Level": .double(0.25)])
        await end(link)
        let signals = await collect(stream)
        #expect(signals.map(\.member) == ["PropertiesChanged", "PropertiesChanged"])
        #expect(
            signals.map(\.arguments) == [
                [.string(echoInterface), .properties(["Level": .double(0.75)]), .strings([])],
                [.string(echoInterface), .properties(["Level": .double(0.25)]), .strings(["Name"])],
            ])
        #expect(
            await link.objects.value(path: echoPath, interface: echoInterface, property: "Name") == .string("b"))
        await link.close()
    }

    @Test(arguments: Transport.available)
    func theObjectManagerTellsWhatComesAndGoes(over transport: Transport) async throws {
        let link = try await Link(transport)
        let stream = try await all(link)
        let path = echoPath + "/things/one"
        try await link.objects.add(path: path, [(echo(), echoValues)])
        let managed = try await link.client.call(
            Link.name, path: echoPath, interface: "org.freedesktop.DBus.ObjectManager", member: "GetManagedObjects")
        guard case .dictionary("o", "a{sa{sv}}", let objects)? = managed.first else {
            Issue.record("\(managed)")
            return
        }
        // Those below the manager, not the manager's own.
        #expect(Set(objects.keys) == [.objectPath(path)])
        let properties = objects[.objectPath(path)]?.asDictionary?[echoInterface]?.asDictionary
        #expect(properties == echoValues)
        await link.objects.remove(path: path)
        await link.objects.remove(path: path)
        await end(link)
        let signals = await collect(stream)
        #expect(signals.map(\.member) == ["InterfacesAdded", "InterfacesRemoved"])
        #expect(signals.allSatisfy { $0.path == echoPath && $0.arguments.first == .objectPath(path) })
        // Without the values of properties that are only invalidated.
        let added = signals.first?.arguments.last?.asDictionary?[echoInterface]?.asDictionary
        #expect(added == ["Level": .double(0.5)])
        #expect(signals.last?.arguments.last == .strings([echoInterface]))
        let error = await #expect(throws: DBusError.self) { try await link.call("Echo", [.string("")], path: path) }
        #expect(error?.name == DBusError.Name.unknownObject)
        await link.close()
    }

    @Test func objectsAreCheckedBeforeTheyAppear() async throws {
        let objects = DBusObjectServer(loop: DBusLoop(label: "objects"), objectManagerPath: echoPath)
        let wrong: [(String, DBusInterface, [String: DBusValue])] = [
            ("/elsewhere", echo(), echoValues), ("no path", echo(), echoValues),
            (echoPath + "/", echo(), echoValues), (echoPath + "x", echo(), echoValues),
            (echoPath, echo(), ["Level": .double(1)]),
            (echoPath, echo(), ["Level": .int32(1), "Name": .string("")]),
        ]
        for (path, interface, values) in wrong {
            let error = await #expect(throws: DBusError.self) {
                try await objects.add(path: path, [(interface, values)])
            }
            #expect(error?.name == DBusError.Name.invalidArguments)
        }
        #expect(await objects.paths.isEmpty)
        try await objects.add(path: echoPath, [(echo(), echoValues)])
        let again = await #expect(throws: DBusError.self) {
            try await objects.add(path: echoPath, [(echo(), echoValues)])
        }
        #expect(again?.message.contains("already") == true)
        let other = await #expect(throws: DBusError.self) {
            try await objects.add(path: echoPath + "/a", [(DBusInterface(echoInterface), [:])])
        }
        #expect(other?.message.contains("declared") == true)
    }

    @Test(arguments: Transport.available)
    func writingAPropertyReachesItsHandler(over transport: Transport) async throws {
        let (writes, feed) = AsyncStream.makeStream(of: (DBusValue, DBusClient).self)
        let writable = DBusInterface(
            echoInterface,
            properties: [
                DBusProperty("Level", "d") { value, client in
                    guard value.asDouble ?? 0 <= 1 else { throw DBusError(name: "org.example.Error.Loud", message: "") }
                    feed.yield((value, client))
                }, DBusProperty("Name", "s", emits: .none),
            ])
        let link = try await Link(transport, writable)
        let set = { (name: String, value: DBusValue) in
            try await link.client.call(
                Link.name, path: echoPath, interface: "org.freedesktop.DBus.Properties", member: "Set",
                [.string(echoInterface), .string(name), .variant(value)])
        }
        #expect(try await set("Level", .double(0.1)) == [])
        var iterator = writes.makeAsyncIterator()
        let (value, client) = try #require(await iterator.next())
        #expect(value == .double(0.1))
        #expect((client.busName == nil) == (transport != .bus))
        // The server decides which value is stored.
        #expect(
            await link.objects.value(path: echoPath, interface: echoInterface, property: "Level") == .double(0.5))
        let readOnly = await #expect(throws: DBusError.self) { try await set("Name", .string("b")) }
        #expect(readOnly?.name == DBusError.Name.propertyReadOnly)
        let refused = await #expect(throws: DBusError.self) { try await set("Level", .double(2)) }
        #expect(refused?.name == "org.example.Error.Loud")
        let wrongType = await #expect(throws: DBusError.self) { try await set("Level", .string("loud")) }
        #expect(wrongType?.name == DBusError.Name.invalidArguments)
        await link.close()
    }

    @Test(arguments: Transport.available)
    func aWriteIsAnsweredWhenItIsCarriedOut(over transport: Transport) async throws {
        let (begun, begin) = AsyncStream.makeStream(of: DBusValue.self)
        let (permissions, permit) = AsyncStream.makeStream(of: Bool.self)
        let writable = DBusInterface(
            echoInterface,
            properties: [
                .async("Level", "d") { call in
                    begin.yield(call.arguments[0])
                    for await isPermitted in permissions {
                        guard isPermitted else { throw DBusError(name: "org.example.Error.Loud", message: "no") }
                        break
                    }
                    return []
                }, DBusProperty("Name", "s", emits: .none),
            ])
        let link = try await Link(transport, writable)
        let set = { @Sendable (name: String, value: DBusValue) in
            try await link.client.call(
                Link.name, path: echoPath, interface: "org.freedesktop.DBus.Properties", member: "Set",
                [.string(echoInterface), .string(name), .variant(value)])
        }
        var writes = begun.makeAsyncIterator()
        async let accepted = set("Level", .double(0.1))
        #expect(await writes.next() == .double(0.1))
        // Meanwhile everything else is answered.
        let shown = try await link.client.call(
            Link.name, path: echoPath, interface: "org.freedesktop.DBus.Properties", member: "Get",
            [.string(echoInterface), .string("Level")])
        #expect(shown == [.variant(.double(0.5))])
        permit.yield(true)
        #expect(try await accepted == [])
        permit.yield(false)
        let refused = await #expect(throws: DBusError.self) { try await set("Level", .double(2)) }
        #expect(refused?.name == "org.example.Error.Loud" && refused?.message == "no")
        let wrongType = await #expect(throws: DBusError.self) { try await set("Level", .string("loud")) }
        #expect(wrongType?.name == DBusError.Name.invalidArguments)
        let readOnly = await #expect(throws: DBusError.self) { try await set("Name", .string("b")) }
        #expect(readOnly?.name == DBusError.Name.propertyReadOnly)
        await link.close()
    }

    @Test func lettingGoOfAServerTakesItsObjectsAway() async throws {
        let (first, second) = try socketPair()
        let server = DBusConnection(loop: DBusLoop(label: "server"))
        let client = DBusConnection(loop: DBusLoop(label: "client"))
        try await server.openPeer(fileDescriptor: first, role: .server)
        try await client.openPeer(fileDescriptor: second, role: .client)
        var objects: DBusObjectServer? = DBusObjectServer(loop: server.loop, objectManagerPath: echoPath)
        try await objects?.add(path: echoPath, [(echo(), echoValues)])
        try await objects?.attach(server)
        #expect(try await client.echo("there") == "there")
        objects = nil
        let error = await #expect(throws: DBusError.self) { try await client.echo("gone") }
        #expect(error?.name == DBusError.Name.unknownObject)
        await client.close()
        await server.waitUntilClosed()
    }
}
