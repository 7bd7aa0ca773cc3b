import Testing

extension Scenario {
    /// The sandbox on the machine's own kernel (Debian 12's, with version 2 of Landlock), and there without Landlock, too.
    static let sandbox = Scenario(name: "sandbox") { outcome in
        #expect(outcome["kernel"].hasPrefix("6.1."))
        #expect(outcome["modules"].contains("landlock"))
        let end = try #require(outcome.lines.last { $0.contains("Test run with ") })
        #expect(end.contains(" passed after "), "\(end)")
        // Each attempt and its result are in the output.
        #expect(outcome.lines.count { $0.contains(" refused ") } > 150)
    }
}
