import DBus
import Synchronization
import Testing

/// The work to show an object must not depend on the number of objects. Counted, because times depend on the machine.
@Suite(.timeLimit(.minutes(1))) struct ManyObjectsTests {
    /// Values that count their reads.
    private struct Thing: DBusPropertyValues {
        static let asked = Atomic<Int>(0)
        var name: String

        func value(of property: String) -> DBusValue? {
            Self.asked.add(1, ordering: .relaxed)
            return property == "Name" ? .string(name) : property == "Level" ? .double(1) : nil
        }

        /// Returns the number of reads during `body`.
        static func count(_ body: () async throws -> Void) async rethrows -> Int {
            let before = asked.load(ordering: .relaxed)
            try await body()
            return asked.load(ordering: .relaxed) - before
        }
    }

    private func put(_ number: Int, _ name: String, _ link: Link) async throws {
        try await link.objects.put(path: "\(echoPath)/things/t\(number)", interface: echoInterface, Thing(name: name)) {
            echo()
        }
    }

    /// In one test, as they share the count.
    @Test func everyChangeCostsTheSame() async throws {
        let link = try await Link(.pair)
        let signals = try await link.client.signals()
        let first = try await Thing.count { try await put(0, "a", link) }
        for number in 1..<3000 { try await put(number, "a", link) }
        let last = try await Thing.count { try await put(3000, "a", link) }
        #expect(last == first)

        let unchanged = try await Thing.count { try await put(1500, "a", link) }
        // Two of each value are compared.
        #expect(unchanged == 4)
        let renamed = try await Thing.count { try await put(1500, "b", link) }
        #expect(renamed <= 6)

        let reading = try await Thing.count {
            let objects = try await link.client.call(
                nil, path: echoPath, interface: "org.freedesktop.DBus.ObjectManager", member: "GetManagedObjects")
            guard case .dictionary(_, _, let entries)? = objects.first else {
                Issue.record("\(objects)")
                return
            }
            #expect(entries.count == 3001)
        }
        #expect(reading <= 2 * 3001)

        let leaving = await Thing.count {
            for number in 0...3000 { await link.objects.remove(path: "\(echoPath)/things/t\(number)") }
        }
        #expect(leaving == 0)
        #expect(await link.objects.paths == [echoPath])
        // One signal for each change, and none for unchanged values.
        var members: [String: Int] = [:]
        _ = try await link.call("Echo", [.string("over")])
        await link.client.close()
        for await signal in signals { members[signal.member, default: 0] += 1 }
        #expect(
            members == ["InterfacesAdded": 3001, "PropertiesChanged": 1, "InterfacesRemoved": 3001],
            "\(members)")
        await link.close()
    }
}
