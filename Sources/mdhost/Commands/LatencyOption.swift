import ArgumentParser
import HostClient
import HostInterface

/// The option for the latency of live sound.
struct LatencyOption: ParsableArguments {
    @Option(
        help: .init(
            "Latency to ask the device for, in milliseconds, 20 to 10000; it takes its least if that is higher.",
            valueName: "ms"))
    var latency: Int?

    func validate() throws {
        guard latency.map({ (20...10_000).contains($0) }) ?? true else {
            throw ValidationError("The latency isn't between 20 and 10000 milliseconds.")
        }
    }

    /// A latency in seconds for people.
    static func text(_ seconds: Double) -> String { "\(Int((seconds * 1000).rounded())) ms" }

    /// Tells a person who asks for less than devices can do what they get.
    static func tell(_ requested: RequestedLatency?, _ devices: [ClientDevice], _ output: Output) {
        let slowest = devices.max { ($0.leastLatency ?? 0) < ($1.leastLatency ?? 0) }
        guard let requested, let slowest, let least = slowest.leastLatency, least > requested.seconds else { return }
        output.notice(DisplayText.clean("\(slowest.name) isn't faster than \(text(least))."))
    }

    /// The latency for the daemon; `nil` for the device's usual one.
    var requested: RequestedLatency? {
        get throws(HostError) {
            guard let latency else { return nil }
            return try RequestedLatency(seconds: Double(latency) / 1000)
        }
    }
}
