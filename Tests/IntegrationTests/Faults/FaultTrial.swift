import Foundation
import HostClient
import Testing

/// `status --json`.
typealias ProductStatus = Household.Status

/// A daemon with everything a trial has to know of it.
protocol ProductUnderTest: Sendable {
    /// `nil` if it serves processes of another host only.
    var reachableSocket: String? { get }
    func productStatus() async throws -> ProductStatus
}

extension Household: ProductUnderTest {
    var reachableSocket: String? { socket }
    func productStatus() async throws -> ProductStatus { try await status() }
}

extension PrivateDaemon: ProductUnderTest {
    var reachableSocket: String? { isElsewhere ? nil : socket }

    func productStatus() async throws -> ProductStatus {
        let result = try await mdhost("status", "--json", within: .seconds(10))
        try #require(result.status == 0, "the daemon does not answer: \(result)")
        return try JSONLines.one(result.output)
    }
}

/// One fault, tried on the product: its reports, the time it takes, and the lost state.
final class FaultTrial {
    /// The expected playback of the devices meanwhile.
    enum Expectation {
        /// There is no playback, or it can't be observed.
        case nothing
        /// Playback continues without a change.
        case playOn
        /// They play on where they were, having waited for their media or their power.
        case goOn
    }

    private let onlooker: Onlooker
    private(set) var struck: ContinuousClock.Instant?
    private var mended: ContinuousClock.Instant?
    private(set) var recovery: Duration?
    private var extraNotes: [String] = []

    private init(_ onlooker: Onlooker) { self.onlooker = onlooker }

    /// The fault begins now.
    func strikes() {
        struck = .now
        mended = .now
    }

    /// Marks the end of the disturbance; without this call it ended at once.
    func isMended() { mended = .now }

    /// All is as before.
    func hasRecovered() { recovery = mended.map { .now - $0 } }

    /// Waits until the product says so: then all is as before.
    func recovers(_ place: String, _ text: String, within limit: Duration = .seconds(20)) async throws {
        var last: Onlooker.Sight?
        try await eventually("“\(place): \(text)” after \(onlooker.sights.map(\.remark))", within: limit) {
            let sights = onlooker.sights.filter { $0.remark.place == place && $0.time >= struck ?? $0.time }
            last = sights.last.flatMap { $0.remark.text == text ? $0 : nil }
            return last != nil
        }
        // The recovery may precede the test's own notice that the disturbance has ended.
        if let last, let mended { recovery = max(.zero, last.time - mended) }
    }

    /// Records a command's output meanwhile.
    func tells(_ command: String, _ result: CommandResult) {
        let tenths = Int((result.duration / .milliseconds(100)).rounded())
        let words = result.errors.split(separator: "\n").first.map { ", “\($0)”" } ?? ""
        onlooker.note("mdhost \(command)", "exit \(result.status) after \(tenths / 10).\(tenths % 10) s\(words)")
    }

    /// Waits until the product says so.
    ///
    /// - Returns: The time since the fault.
    @discardableResult
    func shows(_ place: String, _ text: String, within limit: Duration = .seconds(20)) async throws -> Duration {
        var found: Onlooker.Sight?
        try await eventually("“\(place): \(text)” in \(onlooker.sights.map(\.remark))", within: limit) {
            found = onlooker.sights.first { sight in
                sight.remark.place == place && sight.remark.text.contains(text) && sight.time >= struck ?? sight.time
            }
            return found != nil
        }
        return struck.flatMap { struck in found.map { $0.time - struck } } ?? .zero
    }

    /// Something else that has to be said.
    func notes(_ sentence: String) { extraNotes.append(sentence) }

    /// Tries a fault and reports it.
    ///
    /// - Parameters:
    ///   - names: The known names of other affected devices.
    ///   - witnesses: Receivers that play when it begins.
    ///   - extensions: Identifiers of those it concerns.
    ///   - files: The local files that devices are reading.
    ///   - body: Calls ``strikes()``, maybe ``isMended()``, and ``hasRecovered()``.
    static func run(
        _ fault: Fault, _ circumstance: String = "", on product: some ProductUnderTest, devices names: Set<String> = [],
        playing witnesses: [Witness] = [], extensions: Set<String> = [], expecting expectation: Expectation = .playOn,
        keepsName: Bool = true, files: [ServedAddress] = [], sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (FaultTrial) async throws -> Void
    ) async throws {
        let names = names.union(witnesses.map(\.name))
        var scenes: [Scene] = []
        for witness in witnesses { scenes.append(try await Scene(witness)) }
        let before = Acknowledged(try await product.productStatus(), of: names)
        let onlooker = try await Onlooker.open(product, devices: names, extensions: extensions)
        defer { onlooker.close() }
        let trial = FaultTrial(onlooker)
        var report = FaultReport(fault: fault, circumstance: circumstance, recovery: .zero)
        do {
            try await body(trial)
        } catch {
            report.lost = ["it did not recover"]
            report.seen = onlooker.sights.map(\.remark)
            FaultMatrix.report(report)
            throw error
        }
        let struck = try #require(trial.struck, sourceLocation: sourceLocation)
        report.recovery = try #require(trial.recovery, sourceLocation: sourceLocation)
        let status = try await product.productStatus()
        var ended: Set<String> = []
        for scene in scenes {
            switch try await scene.outcome(expectation) {
            case .asBefore: break
            case .forgotten:
                ended.formUnion(status.devices.filter { $0.deviceName == scene.name }.map(\.path))
                report.notes.append("the receiver itself had forgotten what it played")
            case .disturbed(let complaint): report.lost.append(complaint)
            }
        }
        report.lost += before.lost(in: status, ended: ended, keepsName: keepsName)
        for file in files where try await !file.isServed() {
            report.lost.append("the file at \(file.address) for \(file.host)")
        }
        report.notes += trial.extraNotes
        // Reports after the recovery belong to the next trial.
        let seen = onlooker.sights.filter { $0.time >= struck }
        report.seen = seen.map(\.remark)
        report.notice = seen.first.map { $0.time - struck }
        FaultMatrix.report(report)
        print(
            "FAULT \(fault.rawValue) \(circumstance): recovered after \(report.recovery), lost \(report.lost), seen "
                + report.seen.map { "\($0.place): \($0.text)" }.joined(separator: "; "))
        #expect(report.lost.isEmpty, "\(fault.rawValue) \(circumstance)", sourceLocation: sourceLocation)
    }
}

/// The address at which a device reads a file of this machine.
struct ServedAddress: Sendable {
    /// The lab's host the device is.
    let host: String
    let address: String

    func isServed() async throws -> Bool {
        let result = try await Command.run([
            LabHost.script, "in", host, "curl", "--silent", "--range", "1000-1099", "--output", "/dev/null",
            "--max-time", "5", "--write-out", "%{http_code} %{size_download}", address,
        ])
        return result.output == "206 100"
    }
}

/// A receiver that plays, at one moment.
private struct Scene {
    enum Outcome {
        case asBefore
        /// The receiver is idle, and only it could know the media it played.
        case forgotten
        case disturbed(String)
    }

    private let witness: Witness
    private let identity: String
    private let position: Double
    private let time: Double

    var name: String { witness.name }

    init(_ witness: Witness) async throws {
        self.witness = witness
        try await witness.awaitState("playing")
        // So far that a start from the beginning would be seen.
        try await eventually("\(witness.name): 3 s") { try await witness.position() >= 3 }
        (identity, position, time) = (try await witness.identity(), try await witness.position(), monotonicNow())
    }

    func outcome(_ expectation: FaultTrial.Expectation) async throws -> Outcome {
        let state = try await witness.state()
        switch expectation {
        case .nothing: return state == "stopped" ? .forgotten : .asBefore
        case .playOn, .goOn:
            guard state == "playing" else { return .disturbed("“\(name)” is \(state)") }
            guard try await witness.identity() == identity else {
                return .disturbed("“\(name)” plays something else")
            }
            let moved = try await witness.position() - position
            let passed = monotonicNow() - time
            // Receivers count whole seconds, and asking takes a moment.
            let isRight = expectation == .playOn ? abs(moved - passed) < 2.5 : moved > -1.5 && moved < passed + 2.5
            return isRight ? .asBefore : .disturbed("“\(name)” moved \(moved) s in \(passed) s")
        }
    }
}
