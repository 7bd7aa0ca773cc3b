import DeviceDiscovery
import MediaDevice
import PlaybackKit
import Testing

@testable import BluetoothExtension

@Suite struct BluetoothPairingTests {
    @Test func everyQuestionHasAPromptThatSaysWhatToDo() throws {
        #expect(BluetoothPairingQuestion.authorization.request(of: "Kitchen") == nil)
        #expect(BluetoothPairingQuestion.pinCode.request(of: "Kitchen")?.method == .password)
        #expect(
            BluetoothPairingQuestion.passkey.request(of: "Kitchen")?.method == .numericCode(length: .sixCharacter))
        let comparison = try #require(BluetoothPairingQuestion.comparison("000042").request(of: "Kitchen"))
        #expect(comparison.method == .none)
        #expect(comparison.reason.contains("Kitchen") && comparison.reason.contains("000042"))
        #expect(BluetoothPairingQuestion.typeOnDevice("000042").request(of: "K")?.reason.contains("000042") == true)
    }
}
