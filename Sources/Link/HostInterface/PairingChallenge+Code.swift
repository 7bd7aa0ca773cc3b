extension PairingChallenge {
    /// What a device of that name asks for, as a sentence: “Kitchen asks for a 4-digit code.”
    package func request(of name: String) -> String {
        switch method {
        case .numericCode: length > 0 ? "\(name) asks for a \(length)-digit code." : "\(name) asks for a code."
        case .password: "\(name) asks for a password."
        case .none: "\(name) asks for a confirmation."
        }
    }

    /// The code as the device takes it: of a numeric one the digits alone, without the spaces and hyphens between them.
    ///
    /// - Throws: ``HostError`` `invalid-argument` for what the device could only refuse; it never repeats what was entered.
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
