import Foundation
package import HostInterface

/// A message of the program that captures the screen, one line of JSON each.
package enum ScreenReport: Codable, Sendable, Hashable {
    /// The desktop asks the person for consent.
    case asking
    /// Capture begins.
    case began(ScreenFacts)
    /// A sentence for the person; capture continues.
    case notice(String)
    /// The counts so far.
    case figures(ScreenFigures)
    /// Capture ended before the device's playback did, or couldn't begin.
    case ended(HostError)

    /// The report as a line, with its end.
    package var line: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { return "\n" }
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    package init?(line: some Sequence<UInt8>) {
        guard let report = try? JSONDecoder().decode(ScreenReport.self, from: Data(line)) else { return nil }
        self = report
    }
}

/// The screen that is captured.
package struct ScreenFacts: Codable, Sendable, Hashable {
    package enum Source: String, Codable, Sendable {
        case display, monitor, window, virtual
    }

    package var source: Source
    /// The name of the X display; `nil` for a source that the portal handed out.
    package var display: String?
    /// The size of the encoded picture, in pixels.
    package var width: Int
    package var height: Int
    package var rate: Int
    package var hasSound: Bool

    package init(source: Source, display: String? = nil, width: Int, height: Int, rate: Int, hasSound: Bool) {
        self.source = source
        self.display = display
        self.width = width
        self.height = height
        self.rate = rate
        self.hasSound = hasSound
    }
}

/// The counts of a capture.
package struct ScreenFigures: Codable, Sendable, Hashable {
    /// The number of encoded pictures.
    package var sent = 0
    /// The number of pictures that were left out because the device didn't take them.
    package var dropped = 0
    /// In bits a second.
    package var bitRate = 0
    /// The time since the capture began, in seconds.
    package var seconds = 0.0

    package init() {}
}
