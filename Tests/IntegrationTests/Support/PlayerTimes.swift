import Foundation

/// What `scripts/lab.d/mpv-times` was told by a player: when each part of a film was heard and shown.
struct PlayerTimes: Sendable {
    /// The moment at which the film would have begun, in seconds of the monotonic clock: the median over the film.
    let soundBegan: Double
    /// How much earlier than its sound a picture is shown, in seconds: the median over the film.
    let lead: Double

    /// - Parameters:
    ///   - path: The file.
    ///   - beginning: The position from which on it counts, in seconds.
    init(path: String, from beginning: Double) throws {
        let reports = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: " ").compactMap { Double($0) }
        }.filter { $0.count == 3 && $0[1] >= beginning }
        soundBegan = try Self.median(reports.map { $0[0] / 1e9 - $0[1] })
        lead = try Self.median(reports.map { $0[2] })
    }

    private static func median(_ values: [Double]) throws -> Double {
        guard !values.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
        return values.sorted()[values.count / 2]
    }
}
