import Foundation

/// Writes a frame with each line `// listing: NAME` replaced by the file `NAME.listing` beside it.
@main
enum ListingAssembler {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            FileHandle.standardError.write(Data("usage: ListingAssembler FRAME SOURCE\n".utf8))
            exit(64)
        }
        let frame = URL(filePath: arguments[1])
        let folder = frame.deletingLastPathComponent()
        var source = ""
        for (index, line) in try String(contentsOf: frame, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false
        ).enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            guard text.hasPrefix(marker) else {
                source += line + "\n"
                continue
            }
            // Diagnostics name the listing's own line.
            let listing = folder.appending(path: text.dropFirst(marker.count) + ".listing")
            source += #"#sourceLocation(file: "\#(listing.path)", line: 1)"# + "\n"
            source += try String(contentsOf: listing, encoding: .utf8)
            source += #"#sourceLocation(file: "\#(frame.path)", line: \#(index + 2))"# + "\n"
        }
        try source.write(to: URL(filePath: arguments[2]), atomically: true, encoding: .utf8)
    }

    private static let marker = "// listing: "
}
