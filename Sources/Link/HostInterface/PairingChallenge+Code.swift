extension PairingChallenge {
    /// Returns the request of a device as a sentence: “Kitchen asks for a 4-digit code.”
    package func request(of name: String) -> String {
        switch method {
        case .numericCode: length > 0 ? "\(name) asks for a \(length)-digit code." : "\(name) asks for a code."
        case .password: "\(name) asks for a password."
        case .none: "\(name) asks for a confirmation."
        }
    }

    /// Returns the code for the device: only the digits of a numeric code, without spaces and hyphens.
    ///
    /// - Throws: ``HostError`` `invalid-argument` if the device would refuse it. The message never contains the entered
    ///   text.
    package func code(from entry: String) throws(HostError) -> String {
        switch method {
        case .none: return ""
        case .password:
            guard !entry.isEmpty else { throw HostError(.invalidArgument, "The password is empty.") }
            return entry
        case .numericCode:
            let symbols = entry.filter { !$0.isWhitespace && $0 != "-" }
            // Keyboards of other scripts have digits of their own.
            let digits = symbols.compactMap { symbol in symbol.wholeNumberValue.flatMap { 0...9 ~= $0 ? $0 : nil } }
            let hasLength = length > 0 ? digits.count == length : !digits.isEmpty
            guard digits.count == symbols.count, hasLength else {
                throw HostError(
                    .invalidArgument, length > 0 ? "The code has \(length) digits." : "The code consists of digits.")
            }
            return digits.map(String.init).joined()
        }
    }
}
