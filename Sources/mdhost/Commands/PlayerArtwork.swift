import HostClient
import HostInterface

/// The artwork of the current item in a terminal that shows pictures: which to request and to draw, as a value.
struct PlayerArtwork {
    enum Step: Hashable {
        case ask(String)
        case request(address: String, side: Int)
        /// The item has none; the previous picture goes.
        case remove
    }

    private var terminal: TerminalPictures
    /// The address of the current item's artwork; empty for none.
    private(set) var address = ""
    private var hasRequested = false
    private var place: PicturePlace?

    init(kind: String) { terminal = TerminalPictures(kind: kind) }

    /// A Boolean value that indicates whether the terminal may still answer.
    var isAsked: Bool { terminal.isAsked }

    /// Returns the steps for the artwork of an item.
    mutating func show(_ address: String, on size: TerminalSize?) -> Step? {
        guard address != self.address else { return nil }
        let hadPicture = hasRequested
        (self.address, hasRequested) = (address, false)
        guard !address.isEmpty else { return hadPicture ? .remove : nil }
        if let questions = terminal.ask() { return .ask(questions) }
        return request(on: size)
    }

    mutating func take(_ report: TerminalReport, on size: TerminalSize?) -> Step? {
        terminal.take(report)
        return request(on: size)
    }

    private mutating func request(on size: TerminalSize?) -> Step? {
        guard !address.isEmpty, !hasRequested, let way = terminal.way, let size,
            let place = PicturePlace(size, for: way)
        else { return nil }
        (self.place, hasRequested) = (place, true)
        return .request(address: address, side: place.side)
    }

    /// Returns a picture as the terminal shows it, with the number of its rows; `nil` if it is another item's.
    func text(of picture: PixelPicture, for address: String, identifier: Int) -> (text: String, rows: Int)? {
        guard address == self.address, let place, let way = terminal.way else { return nil }
        let rows = place.rows(of: picture)
        switch way {
        case .kitty:
            let columns = place.columns(of: picture)
            return (KittyPicture.text(picture, identifier: identifier, columns: columns, rows: rows), rows)
        case .sixel(let colours): return (SixelPicture.text(picture, colours: colours), rows)
        }
    }

    /// Returns the control sequences that remove the previous picture.
    func removal(of identifier: Int) -> String { terminal.way == .kitty ? KittyPicture.removal(of: identifier) : "" }
}
