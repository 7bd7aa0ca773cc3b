import Foundation
package import HostInterface

/// The screen that `mdhost screen` wants from the program that captures it, as the program's argument.
package struct ScreenRequest: Codable, Sendable, Hashable {
    /// The program's name.
    package static let program = "mdhost-screen"

    /// The form in which the program delivers what it captures.
    package enum Form: String, Codable, Sendable {
        /// An MPEG transport stream on standard output.
        case stream
        /// Packets of video (``VideoPacket``) on a socket as standard output, and packets of sound (``SamplePacket``) on
        /// the socket ``soundDescriptor``: 16 bits, 48,000 Hz, two channels.
        case samples
    }

    /// The number of the socket for sound in the program, if the form is ``Form/samples``.
    package static let soundDescriptor: Int32 = 3

    package var form: Form
    /// The X display to capture; `nil` for the screen that a person selects in the desktop's portal.
    package var display: String?
    /// The largest size of the encoded picture, in pixels. A smaller screen isn't enlarged.
    package var width: Int
    package var height: Int
    /// Pictures a second at most.
    package var rate: Int
    package var hasSound: Bool
    /// The part of the stream that is there before the device begins, in seconds: its reserve, and delay.
    package var lead: Double
    /// The file in which the desktop's permission to share the same screen again is kept; `nil` to ask each time.
    package var permission: String?

    package init(
        form: Form = .stream, display: String? = nil, width: Int = 1280, height: Int = 720, rate: Int = 30,
        hasSound: Bool = true, lead: Double = 0,
        permission: String? = nil
    ) {
        self.form = form
        self.lead = lead
        self.permission = permission
        self.display = display
        self.width = width
        self.height = height
        self.rate = rate
        self.hasSound = hasSound
    }

    /// The request as one argument of a program.
    package var argument: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(self) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    /// - Throws: ``HostError`` `invalid-argument` if it is none, or its numbers are outside the limits.
    package init(argument: String) throws(HostError) {
        guard let request = try? JSONDecoder().decode(ScreenRequest.self, from: Data(argument.utf8)) else {
            throw HostError(.invalidArgument, "The program \(Self.program) is started by mdhost screen.")
        }
        self = request
        try check()
    }

    /// - Throws: ``HostError`` `invalid-argument` if a number is outside its limits.
    package func check() throws(HostError) {
        guard (64...7680).contains(width), (64...4320).contains(height) else {
            throw HostError(.invalidArgument, "The size \(width)x\(height) isn't between 64x64 and 7680x4320.")
        }
        guard (0...3).contains(lead) else {
            throw HostError(.invalidArgument, "The buffer of \(lead) s isn't between 0 and 3 seconds.")
        }
        guard (1...120).contains(rate) else {
            throw HostError(.invalidArgument, "The rate \(rate) isn't between 1 and 120 pictures a second.")
        }
    }
}

extension ScreenRequest {
    /// The byte on the program's socket after which the capture continues without `mdhost screen`, until the device's
    /// playback ends.
    package static let detached = UInt8(ascii: "d")
}
