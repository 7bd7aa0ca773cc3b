import HostInterface
import ScreenInterface

/// The sentences of `mdhost screen`.
enum ScreenSentences {
    /// Says which part of the desktop is shown to whom.
    static func showing(_ facts: ScreenFacts, on names: String) -> String {
        let source =
            switch facts.source {
            case .display: "the X display \(facts.display ?? "")"
            case .monitor: "the selected screen"
            case .window: "the selected window"
            case .virtual: "the virtual screen"
            }
        let sound = facts.hasSound ? "and the sound of this computer " : "without sound "
        return "Showing \(source) (\(facts.width)x\(facts.height)) \(sound)on \(names). Ctrl-C ends it."
    }

    /// Says how it went; `nil` before the first second.
    static func summary(_ figures: ScreenFigures) -> String? {
        guard figures.seconds >= 1 else { return nil }
        let rate = (Double(figures.sent) / figures.seconds * 10).rounded() / 10
        return "Showed \(figures.sent) pictures, \(rate) a second; left out \(figures.dropped)."
    }
}
