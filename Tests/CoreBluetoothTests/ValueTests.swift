import CoreBluetooth
import Foundation
import Testing

@Suite struct ValueTests {
    /// The bits of the Bluetooth Core Specification, 3.G, 3.3.1.1.
    @Test func propertiesAreTheBitsOfTheSpecification() {
        #expect(CBCharacteristicProperties(rawValue: 0x12) == [.read, .notify])
        #expect(CBCharacteristicProperties([.broadcast, .write, .indicate]).rawValue == 0x29)
    }

    @Test func statesAreApplesNumbers() {
        #expect([CBManagerState.unknown, .unsupported, .poweredOff, .poweredOn].map(\.rawValue) == [0, 2, 4, 5])
        #expect(CBPeripheralState(rawValue: 2) == .connected)
        #expect(CBManagerAuthorization.allowedAlways.rawValue == 3)
    }

    @Test(arguments: CBError.Code.allCases)
    func everyErrorHasASentence(code: CBError.Code) {
        #expect(CBError(code).localizedDescription.hasSuffix("."))
        #expect(CBError(code, "The lamp is off.").localizedDescription == "The lamp is off.")
    }

    @Test func errorsAreCaughtByTheirCode() {
        func matches(_ error: any Error) -> String {
            switch error {
            case CBError.notConnected: "not connected"
            case CBATTError.readNotPermitted: "not permitted"
            default: "other"
            }
        }
        #expect(matches(CBError(.notConnected)) == "not connected")
        #expect(matches(CBATTError(.readNotPermitted)) == "not permitted")
        #expect(matches(CBError(.unknown)) == "other")
        #expect(CBATTError.Code.insufficientEncryption.rawValue == 0x0F)
    }
}
