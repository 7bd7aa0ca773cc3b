/// The answer of a terminal to one of ``TerminalPictures/questions``.
enum TerminalReport: Hashable, Sendable {
    /// The Kitty graphics protocol's, which other terminals don't send.
    case graphics(isSupported: Bool)
    /// The number of colours that Sixel pictures may have (XTSMGRAPHICS).
    case colours(Int)
    /// The primary device attributes (DA1), which nearly every terminal sends: 4 stands for Sixel.
    case attributes([Int])

    /// - Parameters:
    ///   - parameters: Of a control sequence, as in `?62;4`.
    ///   - final: Its last byte.
    init?(_ parameters: some Collection<UInt8>, _ final: UInt8) {
        guard parameters.first == UInt8(ascii: "?") else { return nil }
        let numbers = String(decoding: parameters.dropFirst(), as: UTF8.self).split(separator: ";").compactMap {
            Int($0)
        }
        switch final {
        case UInt8(ascii: "c"): self = .attributes(numbers)
        case UInt8(ascii: "S") where numbers.count == 3 && numbers[0] == 1 && numbers[1] == 0:
            self = .colours(numbers[2])
        default: return nil
        }
    }

    /// - Parameter command: An application program command, as in `Gi=31;OK`.
    init?(command: some Collection<UInt8>) {
        let text = String(decoding: command, as: UTF8.self)
        guard text.hasPrefix("Gi=\(TerminalPictures.question);") else { return nil }
        self = .graphics(isSupported: text.hasSuffix(";OK"))
    }
}
