import Testing

@testable import Confinement

/// The kernel refuses a rule set with unknown rights, so each version has to get its own.
@Suite struct LandlockAccessTests {
    @Test(arguments: [
        (0, 0), (1, 0x1FFF), (2, 0x3FFF), (3, 0x7FFF), (4, 0x7FFF), (5, 0xFFFF), (6, 0xFFFF), (9, 0xFFFF),
    ])
    func rightsByVersion(version: Int, rights: UInt64) {
        #expect(LandlockAccess.known(to: version).rawValue == rights)
    }

    @Test(arguments: [(1, 0, 0, 8), (3, 0, 0, 8), (4, 1, 0, 16), (5, 1, 0, 16), (6, 1, 3, 24), (7, 1, 3, 24)])
    func whatElseIsRestricted(version: Int, network: UInt64, scopes: UInt64, size: Int) {
        let scope = LandlockScope(version: version)
        #expect(scope.network == network)
        #expect(scope.scopes == scopes)
        #expect(scope.size == size)
    }

    @Test func placesThatAreWrittenAreNotExecuted() {
        #expect(!LandlockAccess(.write).contains(.execute) && LandlockAccess(.run).contains(.execute))
        #expect(LandlockAccess(.run).isDisjoint(with: [.writeFile, .makeFile, .removeFile, .truncate, .refer]))
        #expect(LandlockAccess(.write).isDisjoint(with: [.makeCharacterDevice, .makeBlockDevice, .controlDevice]))
    }
}
