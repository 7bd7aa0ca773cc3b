import CProcess
import Glibc

/// The seccomp program for a policy: only calls with a rule can pass.
///
/// Source: `Documentation/userspace-api/seccomp_filter.rst` of Linux.
enum SystemCallFilter {
    #if arch(x86_64)
        private static let architecture: UInt32? = 0xC000_003E
        /// Numbers from here on are those of another calling convention, to which no rule would apply.
        private static let firstForeignNumber: UInt32? = 0x4000_0000
    #elseif arch(arm64)
        private static let architecture: UInt32? = 0xC000_00B7
        private static let firstForeignNumber: UInt32? = nil
    #else
        private static let architecture: UInt32? = nil
        private static let firstForeignNumber: UInt32? = nil
    #endif

    private static let kill: UInt32 = 0x8000_0000
    private static let allow: UInt32 = 0x7FFF_0000
    private static let fail: UInt32 = 0x0005_0000
    private static let load = UInt16(BPF_LD | BPF_W | BPF_ABS)
    private static let and = UInt16(BPF_ALU | BPF_AND | BPF_K)
    private static let jumpIfEqual = UInt16(BPF_JMP | BPF_JEQ | BPF_K)
    private static let jumpIfAtLeast = UInt16(BPF_JMP | BPF_JGE | BPF_K)
    private static let answer = UInt16(BPF_RET | BPF_K)

    /// - Parameter process: This process, which keeps its number when it executes the program.
    /// - Returns: `nil` on an architecture whose calls are not known here.
    static func instructions(for policy: ConfinementPolicy, process: Int32) -> [sock_filter]? {
        guard let architecture else { return nil }
        var program = [
            instruction(load, 4), instruction(jumpIfEqual, architecture, yes: 1), instruction(answer, kill),
            instruction(load, 0),
        ]
        if let firstForeignNumber {
            program += [instruction(jumpIfAtLeast, firstForeignNumber, no: 1), instruction(answer, kill)]
        }
        for rule in SystemCallRules.rules(for: policy, process: process) { program += instructions(for: rule) }
        program.append(instruction(answer, value(of: SystemCallRules.otherwise)))
        return program
    }

    private static func instructions(for rule: SystemCallRule) -> [sock_filter] {
        var body: [sock_filter] = []
        for (conditions, verdict) in rule.cases {
            // Load, mask and compare; the last comparison is followed by the answer.
            let size = conditions.count * 3 + 1
            for (index, condition) in conditions.enumerated() {
                body += [
                    instruction(load, UInt32(16 + 8 * condition.argument)), instruction(and, condition.mask),
                    instruction(jumpIfEqual, condition.value, no: UInt8(size - index * 3 - 3)),
                ]
            }
            body.append(instruction(answer, value(of: verdict)))
        }
        body.append(instruction(answer, value(of: rule.otherwise)))
        return [instruction(jumpIfEqual, UInt32(rule.number), no: UInt8(body.count))] + body
    }

    private static func value(of verdict: SystemCallRule.Verdict) -> UInt32 {
        switch verdict {
        case .allow: allow
        case .fail(let code): fail | UInt32(code)
        }
    }

    private static func instruction(_ code: UInt16, _ value: UInt32, yes: UInt8 = 0, no: UInt8 = 0) -> sock_filter {
        sock_filter(code: code, jt: yes, jf: no, k: value)
    }
}
