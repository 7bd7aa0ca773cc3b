/// The action for one system call.
struct SystemCallRule: Sendable, Hashable {
    /// The required value of an argument: only its lower 32 bits, because the kernel ignores the rest of the arguments
    /// used here.
    struct Condition: Sendable, Hashable {
        var argument: Int
        var mask: UInt32 = .max
        var value: UInt32
    }

    enum Verdict: Sendable, Hashable {
        case allow
        /// Fails with this `errno`: a library with a fallback continues.
        case fail(Int32)
    }

    var number: Int
    /// The first of these whose conditions all hold decides.
    var cases: [(conditions: [Condition], verdict: Verdict)] = []
    var otherwise: Verdict

    static func == (one: Self, other: Self) -> Bool {
        one.number == other.number && one.otherwise == other.otherwise
            && one.cases.elementsEqual(other.cases) { $0.conditions == $1.conditions && $0.verdict == $1.verdict }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension SystemCallRule {
    static func allow(_ number: Int) -> Self { Self(number: number, otherwise: .allow) }

    static func refuse(_ number: Int, _ code: Int32) -> Self { Self(number: number, otherwise: .fail(code)) }

    /// Refused unless all conditions of one of the alternatives hold.
    static func refuse(_ number: Int, _ code: Int32, unless alternatives: [[Condition]]) -> Self {
        Self(number: number, cases: alternatives.map { ($0, .allow) }, otherwise: .fail(code))
    }
}
