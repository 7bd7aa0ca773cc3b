import BluetoothProtocol
import Testing

@Suite struct BluetoothProtocolTests {
    @Test func aSpeakerThatStaysAwayIsCalledMoreAndMoreSeldom() {
        var pauses = BluetoothReconnection()
        let all = (0..<8).map { _ in pauses.next() }
        #expect(all == [2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    }

    @Test func everyPromptSaysWhatToDo() {
        #expect(BluetoothPrompt.pinCode(of: "Kitchen").method == .text)
        #expect(BluetoothPrompt.passkey(of: "Kitchen").method == .sixDigits)
        let comparison = BluetoothPrompt.comparison("000042", with: "Kitchen")
        #expect(comparison.method == .confirmation)
        #expect(comparison.sentence.contains("Kitchen") && comparison.sentence.contains("000042"))
        #expect(BluetoothPrompt.typing("000042", on: "Kitchen").sentence.contains("000042"))
    }
}
