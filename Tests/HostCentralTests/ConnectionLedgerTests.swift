import BlueZ
import Testing

@testable import HostCentral

@Suite struct ConnectionLedgerTests {
    private let lamp = BlueZIdentifier(rawValue: "/lamp")

    @Test func theLastOneWhoWantsItDisconnects() async {
        let ledger = ConnectionLedger()
        await ledger.retain(lamp, wasConnected: false)
        await ledger.retain(lamp, wasConnected: true)
        #expect(await !ledger.release(lamp))
        #expect(await ledger.release(lamp))
        #expect(await !ledger.release(lamp), "nobody wants it any more")
    }

    @Test func whatSomebodyElseConnectedStaysSo() async {
        let ledger = ConnectionLedger()
        await ledger.retain(lamp, wasConnected: true)
        #expect(await !ledger.release(lamp))
        // Then it is gone, and wanted again.
        await ledger.retain(lamp, wasConnected: false)
        #expect(await ledger.release(lamp))
    }
}
