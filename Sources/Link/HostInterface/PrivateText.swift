/// Marks what a program logged as private, in a line of its log: shown to the person at this computer, hidden in a report.
///
/// The marks are the control characters PRIVATE USE ONE and TWO (ECMA-48), which no terminal draws.
package enum PrivateText {
    private static let begin: Unicode.Scalar = "\u{91}"
    private static let end: Unicode.Scalar = "\u{92}"

    /// The text between marks; marks of its own are taken out.
    package static func marked(_ text: String) -> String {
        "\(begin)\(shown(text))\(end)"
    }

    /// The line without marks.
    package static func shown(_ line: String) -> String {
        String(String.UnicodeScalarView(line.unicodeScalars.filter { $0 != begin && $0 != end }))
    }

    /// The text with `<private>` for what is marked; up to the end of its line where the second mark is missing.
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
