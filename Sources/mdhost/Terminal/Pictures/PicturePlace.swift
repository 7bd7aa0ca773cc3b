import HostInterface

/// The size of a terminal and its characters.
struct TerminalSize: Sendable, Hashable {
    var columns: Int
    var rows: Int
    /// Of the text area in pixels; 0 if the terminal doesn't report it.
    var width = 0
    var height = 0
}

/// The room of a picture on a terminal: a value without I/O.
struct PicturePlace: Sendable, Hashable {
    private static let mostRows = 12
    private static let leastRows = 4
    /// The usual size of a character, for terminals that scale pictures to characters themselves.
    private static let usual = (width: 10, height: 20)

    let rows: Int
    /// The greatest side of the picture, in pixels.
    let side: Int
    private let character: (width: Int, height: Int)

    static func == (left: Self, right: Self) -> Bool {
        (left.rows, left.side) == (right.rows, right.side) && left.character == right.character
    }

    func hash(into hasher: inout Hasher) { hasher.combine(rows) }

    /// - Returns: `nil` if the terminal is too small, or doesn't report a size that is needed.
    init?(_ size: TerminalSize, for way: TerminalPictures.Way) {
        let isMeasured = size.width >= size.columns && size.height >= size.rows && size.columns > 0 && size.rows > 0
        guard isMeasured || way == .kitty else { return nil }
        character =
            isMeasured ? (max(1, size.width / size.columns), max(1, size.height / size.rows)) : Self.usual
        // Two lines follow below, and some of the earlier text stays above; as wide as high.
        let wide = max(0, size.columns - 1) * character.width / character.height
        let rows = min(Self.mostRows, size.rows / 2, wide, PixelPicture.greatestSide / character.height)
        guard rows >= Self.leastRows else { return nil }
        self.rows = rows
        side = rows * character.height
    }

    /// The columns that a picture takes at its full height.
    func columns(of picture: PixelPicture) -> Int {
        max(
            1,
            (rows(of: picture) * character.height * picture.width / picture.height + character.width - 1)
                / character.width)
    }

    /// The rows that a picture takes; fewer than ``rows`` if it is wider than high.
    func rows(of picture: PixelPicture) -> Int {
        let height = picture.height * side / max(picture.width, picture.height)
        return min(rows, max(1, (height + character.height - 1) / character.height))
    }
}
