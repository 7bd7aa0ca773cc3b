/// The prompt for a person during pairing.
public struct BluetoothPrompt: Sendable, Hashable {
    public enum Method: Sendable, Hashable {
        /// Free text: PIN codes have 1 to 16 characters.
        case text
        case sixDigits
        /// Yes or no.
        case confirmation
    }

    public let method: Method
    public let sentence: String

    private init(_ method: Method, _ sentence: String) {
        self.method = method
        self.sentence = sentence
    }

    public static func pinCode(of name: String) -> BluetoothPrompt {
        BluetoothPrompt(.text, "Enter the PIN code of \(name). Its manual tells it; it is mostly 0000 or 1234.")
    }

    public static func passkey(of name: String) -> BluetoothPrompt {
        BluetoothPrompt(.sixDigits, "Enter the six digits that \(name) shows.")
    }

    public static func comparison(_ digits: String, with name: String) -> BluetoothPrompt {
        BluetoothPrompt(
            .confirmation, "\(name) is to show \(digits): confirm if it does, or if it cannot show anything.")
    }

    public static func typing(_ digits: String, on name: String) -> BluetoothPrompt {
        BluetoothPrompt(.confirmation, "Type \(digits) on \(name), and its Enter key.")
    }
}
