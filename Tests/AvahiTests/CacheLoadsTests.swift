import Testing

@testable import Avahi

struct CacheLoadsTests {
    private func service(
        _ number: Int, type: String = "_mpd._tcp", interface: Int32 = 2, family: AvahiFamily = .ipv4
    ) -> AvahiService {
        AvahiService(
            name: "Room \(number)", type: type, domain: "local", interfaceIndex: interface,
            interfaceName: "eth\(interface)", family: family)
    }

    @Test func aCacheThatIsAsGoodAsFullIsToldOnce() {
        var loads = CacheLoads(capacity: 300)
        let changes = (1...100).filter { loads.add(service($0), to: 1, by: 1) }
        // Three records for each service, and a tenth of the room is for services that no browse requests.
        #expect(changes == [90])
        #expect(loads.full == [.init(interfaceName: "eth2", family: .ipv4, services: 90, capacity: 300)])
        let returns = (1...100).filter { loads.add(service($0), to: 1, by: -1) }
        #expect(returns == [11])
        #expect(loads.full.isEmpty)
    }

    @Test func everyInterfaceAndFamilyHasACacheOfItsOwn() {
        var loads = CacheLoads(capacity: 300)
        let changes = (1...80).filter { number in
            let seen = [service(number), service(number, family: .ipv6), service(number, interface: 3)]
            return seen.contains { loads.add($0, to: 1, by: 1) }
        }
        #expect(changes.isEmpty)
        for number in 81...95 { _ = loads.add(service(number, family: .ipv6), to: 1, by: 1) }
        #expect(loads.full.map(\.family) == [.ipv6])
    }

    @Test func typesAddUpAndTwoBrowsesOfOneTypeDoNot() {
        var loads = CacheLoads(capacity: 300)
        for number in 1...50 {
            _ = loads.add(service(number), to: 1, by: 1)
            _ = loads.add(service(number), to: 2, by: 1)
        }
        #expect(loads.full.isEmpty)
        for number in 1...50 { _ = loads.add(service(number, type: "_airplay._tcp"), to: 3, by: 1) }
        #expect(loads.full.map(\.services) == [90])
        let isOther = loads.remove(3)
        #expect(isOther)
        #expect(loads.full.isEmpty)
    }

    @Test func aDaemonWithoutACacheIsNeverFull() {
        var loads = CacheLoads(capacity: 0)
        let isFull = loads.add(service(1), to: 1, by: 1)
        #expect(!isFull)
    }
}
