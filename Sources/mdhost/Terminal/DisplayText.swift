/// Text that came from the network, made fit for a terminal.
enum DisplayText {
    /// Without control characters and direction overrides, so a device's name can neither move the cursor nor pose as
    /// another; runs of white space become one space.
    static func clean(_ text: String) -> String {
        var result = ""
        var pendingSpace = false
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                pendingSpace = !result.isEmpty
                continue
            }
            guard !isHidden(scalar) else { continue }
            if pendingSpace { result.append(" ") }
            pendingSpace = false
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    /// Returns one printed line with its columns and indentation, without the characters that ``clean(_:)`` leaves out.
    static func line(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t": result += "    "
            case _ where scalar.properties.isWhitespace: result += " "
            case _ where isHidden(scalar): continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        // Joiners make emoji; every other format character only hides.
        case .format: scalar.value != 0x200D && scalar.value != 0x200C
        default: false
        }
    }

    /// Columns a terminal uses for the text.
    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width(of: $1) } }

    /// The text cut to `limit` columns, with an ellipsis where something was cut.
    static func fit(_ text: String, _ limit: Int) -> String {
        guard width(text) > limit else { return text }
        guard limit > 0 else { return "" }
        var result = ""
        var used = 1
        for character in text {
            used += width(of: character)
            if used > limit { break }
            result.append(character)
        }
        return result + "…"
    }

    static func pad(_ text: String, _ columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - width(text)))
    }

    private static func width(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch scalar.value {
        case 0..<0x20: return 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default:
            return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
        }
    }
}
