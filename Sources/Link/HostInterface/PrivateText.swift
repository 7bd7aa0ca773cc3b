/// The marks of private values in a program's log. The user of this computer sees the values; a report hides them.
///
/// The marks are the control characters PRIVATE USE ONE and TWO (ECMA-48), which no terminal shows.
package enum PrivateText {
    private static let begin: Unicode.Scalar = "\u{91}"
    private static let end: Unicode.Scalar = "\u{92}"

    /// Returns the text between marks, without marks of its own.
    package static func marked(_ text: String) -> String {
        "\(begin)\(shown(text))\(end)"
    }

    /// Returns the line without marks.
    package static func shown(_ line: String) -> String {
        String(String.UnicodeScalarView(line.unicodeScalars.filter { $0 != begin && $0 != end }))
    }

    /// Returns the text with `<private>` in place of marked values. Without a second mark, the value extends to the end
    /// of its line.
    package static func hidden(in text: String) -> String {
        guard text.unicodeScalars.contains(begin) else { return shown(text) }
        var result = String.UnicodeScalarView()
        var isHidden = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case begin:
                if !isHidden { result.append(contentsOf: "<private>".unicodeScalars) }
                isHidden = true
            case end: isHidden = false
            case "\n":
                isHidden = false
                result.append(scalar)
            default: if !isHidden { result.append(scalar) }
            }
        }
        return String(result)
    }
}
