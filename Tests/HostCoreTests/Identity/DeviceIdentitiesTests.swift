import HostInterface
import Testing

@testable import HostCore

/// Merges of devices, by a person's choice and by declarations of extensions.
struct DeviceIdentitiesTests {
    private typealias Change = DeviceIdentities.Change

    private func member(_ id: String, _ protocolName: String = "DLNA", declares declared: String...)
        -> DeviceMerge.Member
    {
        DeviceMerge.Member(
            id: id, name: "Name of \(id)", extensionIdentifier: "org.example.\(protocolName)",
            protocolIdentifier: protocolName, protocolName: protocolName, declared: declared)
    }

    private func merged(_ ids: String..., in identities: DeviceIdentities = DeviceIdentities()) throws
        -> DeviceIdentities
    {
        var identities = identities
        _ = try identities.merge(ids) { member($0) }
        return identities
    }

    // MARK: A person's choices

    @Test func theFirstLendsItsIdentifierAndTheOrderStays() throws {
        var identities = DeviceIdentities()
        let change = try identities.merge(["A", "B", "C"]) { member($0) }
        #expect(change == Change(before: ["A": ["A"], "B": ["B"], "C": ["C"]], after: ["A"]))
        #expect(identities.devices(of: "A") == ["A", "B", "C"])
        #expect(["A", "B", "C", "D"].map(identities.entry) == ["A", "A", "A", "D"])
        #expect(identities.merged == ["A"])
    }

    @Test func whatIsMergedAlreadyComesWhole() throws {
        var identities = try merged("C", "D", in: try merged("A", "B"))
        let change = try identities.merge(["C", "A"]) { member($0) }
        #expect(change == Change(before: ["C": ["C", "D"], "A": ["A", "B"]], after: ["C"]))
        #expect(identities.devices(of: "C") == ["C", "D", "A", "B"])
        #expect(try identities.merge(["C", "A"]) { member($0) } == Change(), "they are one already")
    }

    @Test func anotherOrderPrefersAnother() throws {
        var identities = try merged("A", "B", "C")
        #expect(
            try identities.merge(["C", "A"]) { member($0) } == Change(before: ["A": ["A", "B", "C"]], after: ["C"]))
        #expect(identities.devices(of: "C") == ["C", "A", "B"] && identities.entry(of: "A") == "C")
        // The named part comes first, followed by the parts it was merged with.
        _ = try identities.merge(["B", "D"]) { member($0) }
        #expect(identities.devices(of: "B") == ["B", "C", "A", "D"])
    }

    @Test func oneDeviceAloneIsNoMerge() throws {
        var identities = try merged("A", "B")
        for devices in [[], ["C"], ["C", "C"], ["A"]] {
            let error = #expect(throws: HostError.self) { try identities.merge(devices) { member($0) } }
            #expect(error?.code == .invalidArgument)
        }
        let unknown = #expect(throws: HostError.self) {
            try identities.merge(["A", "Z"]) { id throws(HostError) in throw HostError(.noSuchDevice, id) }
        }
        #expect(unknown?.code == .noSuchDevice)
        #expect(identities.devices(of: "A") == ["A", "B"])
    }

    @Test func aSplitGivesEveryDeviceBack() throws {
        var identities = try merged("A", "B", "C")
        let change = try identities.split("A", name: "TV")
        #expect(change == Change(before: ["A": ["A", "B", "C"]], after: ["A", "B", "C"]))
        #expect(["A", "B", "C"].map(identities.entry) == ["A", "B", "C"])
        let error = #expect(throws: HostError.self) { try identities.split("A", name: "TV") }
        #expect(error == HostError(.notMerged, "TV is one device and cannot be split."))
    }

    // MARK: Declarations of extensions

    @Test func theSameDeclarationJoinsProtocols() throws {
        var identities = DeviceIdentities()
        #expect(identities.seen(member("A", "DLNA", declares: "upnp:1")) == nil)
        #expect(identities.seen(member("A", "DLNA", declares: "upnp:1")) == nil, "nothing new")
        let change = identities.seen(member("B", "MPD", declares: "mac:2", "upnp:1"))
        #expect(change == Change(before: ["A": ["A"], "B": ["B"]], after: ["A"]))
        #expect(identities.merge("A")?.members.map(\.isHereByDeclaration) == [false, true])
        #expect(identities.seen(member("B", "MPD", declares: "mac:2", "upnp:1")) == nil)
    }

    @Test func twoOfOneProtocolStayTwo() {
        var identities = DeviceIdentities()
        _ = identities.seen(member("A", "DLNA", declares: "upnp:1"))
        #expect(identities.seen(member("B", "DLNA", declares: "upnp:1")) == nil)
        // The part of another protocol joins the older of the two.
        _ = identities.seen(member("C", "MPD", declares: "upnp:1"))
        #expect(identities.devices(of: "A") == ["A", "C"] && identities.entry(of: "B") == "B")
        // A person can merge them all the same.
        _ = try? identities.merge(["A", "B"]) { member($0, "DLNA", declares: "upnp:1") }
        #expect(identities.devices(of: "A") == ["A", "C", "B"])
    }

    @Test func oneThatDeclaresBothJoinsBoth() {
        var identities = DeviceIdentities()
        _ = identities.seen(member("A", "DLNA", declares: "upnp:1"))
        _ = identities.seen(member("B", "MPD", declares: "mac:2"))
        let change = identities.seen(member("C", "Cast", declares: "upnp:1", "mac:2"))
        #expect(change == Change(before: ["A": ["A"], "B": ["B"], "C": ["C"]], after: ["A"]))
        #expect(identities.devices(of: "A") == ["A", "C", "B"])
    }

    @Test func noDeclarationJoinsWhatIsNotThereAnyMore() {
        var identities = DeviceIdentities()
        _ = identities.seen(member("A", "DLNA", declares: "upnp:1"))
        identities.gone("A")
        #expect(identities.seen(member("B", "MPD", declares: "upnp:1")) == nil)
        // But a place that was taken is kept.
        _ = identities.seen(member("A", "DLNA", declares: "upnp:1"))
        identities.gone("B")
        #expect(identities.entry(of: "A") == "B")
    }

    @Test func whoDoesNotDeclareItAnyMoreLeaves() throws {
        var identities = DeviceIdentities()
        _ = identities.seen(member("A", "DLNA", declares: "upnp:1"))
        _ = identities.seen(member("B", "MPD", declares: "upnp:1"))
        let change = identities.seen(member("B", "MPD"))
        #expect(change == Change(before: ["A": ["A", "B"]], after: ["A", "B"]))
        #expect(identities.merged.isEmpty)
        // A part that a person merged stays, whatever it declares.
        _ = try identities.merge(["A", "B"]) { member($0) }
        let renewed = identities.seen(member("B", "MPD", declares: "mac:3"))
        #expect(renewed == Change(before: ["A": ["A", "B"]], after: ["A"]))
        #expect(identities.devices(of: "A") == ["A", "B"])
    }

    @Test func whoDeclaresSomethingElseMovesThere() {
        var identities = DeviceIdentities()
        _ = identities.seen(member("A", "DLNA", declares: "upnp:1"))
        _ = identities.seen(member("X", "DLNA", declares: "upnp:9"))
        _ = identities.seen(member("B", "MPD", declares: "upnp:1"))
        let change = identities.seen(member("B", "MPD", declares: "upnp:9"))
        #expect(change == Change(before: ["A": ["A", "B"], "X": ["X"]], after: ["A", "X"]))
        #expect(identities.devices(of: "X") == ["X", "B"])
    }

    @Test func aNewNameIsKept() throws {
        var identities = try merged("A", "B")
        var renamed = member("A")
        renamed.name = "Another"
        #expect(identities.seen(renamed) == Change(before: ["A": ["A", "B"]], after: ["A"]))
        #expect(identities.stored.merges.first?.members.first?.name == "Another")
    }

    @Test func whatAPersonTookApartIsNotJoinedAgain() throws {
        var identities = DeviceIdentities()
        _ = identities.seen(member("A", "DLNA", declares: "upnp:1"))
        _ = identities.seen(member("B", "MPD", declares: "upnp:1"))
        _ = identities.seen(member("C", "Cast", declares: "upnp:1"))
        _ = try identities.split("A", name: "TV")
        var later = DeviceIdentities(identities.stored)
        for (id, name) in [("C", "Cast"), ("A", "DLNA"), ("B", "MPD")] {
            #expect(identities.seen(member(id, name, declares: "upnp:1")) == nil)
            #expect(later.seen(member(id, name, declares: "upnp:1")) == nil)
        }
        // A person's later choice counts, and a declaration doesn't undo it either.
        _ = try later.merge(["C", "A"]) { member($0, declares: "upnp:1") }
        #expect(later.devices(of: "C") == ["C", "A"] && later.stored.apart == ["B"])
    }

    @Test func declarationsAloneMakeOnlySoMany() {
        var identities = DeviceIdentities()
        for number in 0..<DeviceIdentities.declaredLimit + 5 {
            _ = identities.seen(member("A\(number)", "DLNA", declares: "x:\(number)"))
            _ = identities.seen(member("B\(number)", "MPD", declares: "x:\(number)"))
        }
        #expect(identities.merged.count == DeviceIdentities.declaredLimit)
    }

    // MARK: Stored merges

    @Test func whatIsStoredComesBack() throws {
        var identities = try merged("A", "B")
        _ = identities.seen(member("X", "DLNA", declares: "upnp:1"))
        _ = identities.seen(member("Y", "MPD", declares: "upnp:1"))
        let again = DeviceIdentities(identities.stored)
        #expect(again.stored == identities.stored)
        #expect(again.devices(of: "X") == ["X", "Y"] && again.entry(of: "B") == "A")
    }

    @Test func whatCannotBeIsLeftOut() {
        let stored = StoredIdentities(merges: [
            DeviceMerge(members: [member("A"), member("B")]), DeviceMerge(members: [member("B"), member("C")]),
            DeviceMerge(members: [member("D")]), DeviceMerge(members: []),
            DeviceMerge(members: [member("E"), member("E")]),
        ])
        let identities = DeviceIdentities(stored)
        #expect(identities.merged == ["A"])
        #expect(["B", "C", "D", "E"].map(identities.entry) == ["A", "C", "D", "E"])
    }

    @Test(arguments: UInt64(1)...20)
    func whateverHappensEveryDeviceIsInOnePlace(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var identities = DeviceIdentities()
        let ids = (0..<12).map { "D\($0)" }
        let protocols = ["DLNA", "MPD", "Cast"]
        func any(_ id: String) -> DeviceMerge.Member {
            var it = member(id, protocols[Int(id.dropFirst())! % protocols.count])
            it.declared = ["x:1", "x:2", "x:3"].filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            return it
        }
        for _ in 0..<400 {
            let id = ids.randomElement(using: &random)!
            let before = identities
            var change: Change?
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                change = try? identities.merge(Array(ids.shuffled(using: &random).prefix(3))) { any($0) }
            case 1: change = try? identities.split(identities.entry(of: id), name: id)
            case 2: identities.gone(id)
            default: change = identities.seen(any(id))
            }
            for id in ids { #expect(identities.devices(of: identities.entry(of: id)).contains(id)) }
            for entry in identities.merged {
                let devices = identities.devices(of: entry)
                #expect(devices.first == entry && devices.count > 1 && Set(devices).count == devices.count)
                #expect(devices.allSatisfy { identities.entry(of: $0) == entry })
            }
            #expect(DeviceIdentities(identities.stored).stored == identities.stored)
            let moved = ids.filter { before.entry(of: $0) != identities.entry(of: $0) }
            #expect(change?.devices.isSuperset(of: moved) ?? moved.isEmpty, "\(seed)")
            if let change {
                for (entry, devices) in change.before { #expect(before.devices(of: entry) == devices) }
                #expect(Set(change.after.flatMap(identities.devices)) == change.devices)
            } else {
                #expect(before.stored == identities.stored)
            }
        }
    }
}

/// Repeatable numbers; the constants are those of Steele, Lea and Flood's SplitMix64.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
