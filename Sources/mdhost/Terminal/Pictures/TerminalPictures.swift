import HostInterface

/// The way that a terminal shows pictures, from its answers to questions: a value without I/O.
///
/// It is asked only when there is a picture to show. A terminal that doesn't answer shows none.
///
/// Sources: Kitty graphics protocol, "Querying support"; xterm control sequences (DA1, XTSMGRAPHICS).
struct TerminalPictures: Sendable {
    enum Way: Sendable, Hashable {
        case kitty
        case sixel(colours: Int)
    }

    /// The identifier of the picture that asks whether the terminal knows the Kitty graphics protocol.
    static let question = 31
    /// One pixel for the Kitty graphics protocol, the colours of Sixel pictures, and last the attributes, which tell that
    /// the terminal has answered.
    static let questions = "\u{1B}_Gi=\(question),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[?1;1;0S\u{1B}[c"

    /// Of the VT340; more if the terminal says so.
    private static let usualColours = 16
    private static let mostColours = 256

    /// Terminals that would show the questions as text, or are asked in vain.
    private static let mute: Set<String> = ["", "dumb", "linux", "unknown"]

    private enum State {
        case unasked
        case asked(isKitty: Bool, colours: Int)
        case known(Way?)
    }

    private var state = State.unasked

    /// - Parameter kind: The terminal's kind, from `TERM`.
    init(kind: String) {
        if Self.mute.contains(kind) { state = .known(nil) }
    }

    /// `nil` while it isn't known, or for a terminal that shows no pictures.
    var way: Way? {
        if case .known(let way) = state { way } else { nil }
    }

    /// A Boolean value that indicates whether an answer is expected.
    var isAsked: Bool {
        if case .asked = state { true } else { false }
    }

    /// Returns the questions to write, the first time.
    mutating func ask() -> String? {
        guard case .unasked = state else { return nil }
        state = .asked(isKitty: false, colours: Self.usualColours)
        return Self.questions
    }

    mutating func take(_ report: TerminalReport) {
        guard case .asked(let isKitty, let colours) = state else { return }
        switch report {
        case .graphics(let isSupported): state = .asked(isKitty: isSupported, colours: colours)
        case .colours(let count):
            state = .asked(isKitty: isKitty, colours: min(Self.mostColours, max(Self.usualColours, count)))
        case .attributes(let numbers):
            state = .known(isKitty ? .kitty : numbers.contains(4) ? .sixel(colours: colours) : nil)
        }
    }
}
