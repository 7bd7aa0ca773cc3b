import Foundation

/// One run of a target: its corpus as it is, then mutants of it.
///
/// `MDHOST_FUZZ_RUNS` sets the number of mutants for every target, and `MDHOST_FUZZ_SEED` repeats the same mutants; the
/// printed line contains both.
struct FuzzRun {
    let target: String
    private(set) var outcomes: [String: Int] = [:]
    let runs: Int
    let seed: UInt64
    let isUsual: Bool
    private var corpusCount = 0
    private let start = ContinuousClock.now

    init(_ target: String, usual: Int) {
        func number(_ variable: String) -> UInt64? {
            ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
        }
        self.target = target
        let wanted = number("MDHOST_FUZZ_RUNS").flatMap { Int(exactly: $0) }
        runs = wanted ?? usual
        isUsual = runs >= usual
        seed = number("MDHOST_FUZZ_SEED") ?? UInt64.random(in: 1...UInt64(UInt32.max))
    }

    /// Gives every input to `take`.
    ///
    /// - Throws: ``FuzzFailure`` with the input that broke a rule; that is also kept as a file.
    mutating func perform(
        corpus: [[UInt8]], words: [String], _ take: ([UInt8]) async throws -> String
    ) async throws {
        corpusCount = corpus.count
        // A name that depends on the target alone, not on the order in which targets run.
        let mixed = target.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) }
        var mutator = FuzzMutator(seed: mixed, corpus: corpus, words: words)
        for input in corpus { try await one(input, take) }
        for _ in 0..<runs { try await one(mutator.next(), take) }
        let counts = outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print(
            "fuzz: \(target) runs \(runs), corpus \(corpusCount), seed \(seed), "
                + "\((seconds * 10).rounded() / 10) s: \(counts)")
    }

    private mutating func one(_ input: [UInt8], _ take: ([UInt8]) async throws -> String) async throws {
        do {
            outcomes[try await take(input), default: 0] += 1
        } catch {
            let file = FileManager.default.temporaryDirectory.appending(path: "mdhost-fuzz-\(target)-\(seed)")
            try? Data(input).write(to: file)
            throw FuzzFailure(description: "\(error); the input is in \(file.path), the seed was \(seed)")
        }
    }
}
