import CProcess
import Glibc
import Testing

@testable import Confinement

/// The filter as the kernel would run it, call by call.
@Suite struct SystemCallFilterTests {
    private static let own: Int32 = 1234
    private let allow: UInt32 = 0x7FFF_0000
    private let kill: UInt32 = 0x8000_0000

    private let notPermitted: UInt32 = 0x0005_0000 | UInt32(EPERM)
    private let noSuchFamily: UInt32 = 0x0005_0000 | UInt32(EAFNOSUPPORT)
    private let unknown: UInt32 = 0x0005_0000 | UInt32(ENOSYS)

    private func expect(
        _ number: Int32, _ arguments: [UInt64] = [], architecture: UInt32? = nil, is expected: UInt32,
        sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout ConfinementPolicy) -> Void = { _ in }
    ) throws {
        let found = try answer(number, arguments, architecture: architecture, change)
        #expect(found == expected, "call \(number) with \(arguments)", sourceLocation: sourceLocation)
    }

    private func answer(
        _ number: Int32, _ arguments: [UInt64], architecture: UInt32?, _ change: (inout ConfinementPolicy) -> Void
    ) throws -> UInt32 {
        var policy = ConfinementPolicy(parent: 1)
        change(&policy)
        let program = try #require(SystemCallFilter.instructions(for: policy, process: Self.own))
        // The architecture the program expects is in its second instruction.
        let call = FilteredCall(number: number, architecture: architecture ?? program[1].k, arguments: arguments)
        return try #require(call.answer(of: program))
    }

    @Test func ordinaryCallsPass() throws {
        for number: Int32 in [SYS_read, SYS_openat, SYS_execve, SYS_futex, SYS_connect, SYS_getpid, SYS_mmap] {
            try expect(number, is: allow)
        }
        try expect(SYS_ioctl, [0, 0x5413], is: allow)
        try expect(SYS_ioctl, [0, 0x5412], is: notPermitted)
    }

    @Test func otherCallingConventionsEndTheProgram() throws {
        try expect(SYS_read, architecture: 0x4000_0003, is: kill)
        #if arch(x86_64)
            try expect(0x4000_0000 | SYS_read, is: kill)
        #endif
    }

    @Test func sockets() throws {
        for family: Int32 in [AF_INET, AF_INET6] { try expect(SYS_socket, [UInt64(family), 1, 0], is: allow) }
        try expect(SYS_socket, [UInt64(AF_NETLINK), 3, 0], is: allow)
        try expect(SYS_socket, [UInt64(AF_NETLINK), 3, 9], is: noSuchFamily)
        for family: Int32 in [AF_UNIX, AF_PACKET, AF_BLUETOOTH, AF_VSOCK] {
            try expect(SYS_socket, [UInt64(family), 1, 0], is: noSuchFamily)
        }
        try expect(SYS_socketpair, [UInt64(AF_UNIX)], is: allow)
        try expect(SYS_listen, is: notPermitted)
        try expect(SYS_listen, is: allow) { $0.ports = [8200] }
        try expect(SYS_listen, is: allow) { $0.takesConnections = true }
    }

    @Test func processesAndThreads() throws {
        let thread: UInt64 = 0x3D_0F00
        try expect(SYS_clone, [thread], is: allow)
        try expect(SYS_clone, [UInt64(SIGCHLD)], is: notPermitted)
        try expect(SYS_clone, [UInt64(SIGCHLD)], is: allow) { $0.startsProcesses = true }
        for namespace: UInt64 in [
            0x2_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000,
        ] {
            try expect(SYS_clone, [thread | namespace], is: notPermitted)
            try expect(SYS_clone, [namespace], is: notPermitted) { $0.startsProcesses = true }
        }
        try expect(435, is: unknown) { $0.startsProcesses = true }
    }

    @Test func otherProcessesAreNobodysBusiness() throws {
        let own = UInt64(Self.own)
        for number: Int32 in [SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo] {
            try expect(number, [own, 6], is: allow)
            try expect(number, [1, 6], is: notPermitted)
            try expect(number, [UInt64.max, 6], is: notPermitted)
            try expect(number, [1, 6], is: allow) { $0.startsProcesses = true }
        }
        try expect(SYS_prlimit64, [0], is: allow)
        try expect(SYS_prlimit64, [own], is: allow)
        try expect(SYS_prlimit64, [1], is: notPermitted)
        try expect(SYS_setpriority, [0, own, 5], is: allow)
        try expect(SYS_setpriority, [2, 0, 5], is: notPermitted)
        try expect(SYS_prctl, [UInt64(PR_SET_PDEATHSIG), 0], is: notPermitted)
        try expect(SYS_prctl, [UInt64(PR_SET_NAME), 0], is: allow)
        try expect(SYS_personality, [0xFFFF_FFFF], is: allow)
        try expect(SYS_personality, [0x40000], is: notPermitted)
    }
}

/// A system call in the eyes of a filter.
private struct FilteredCall {
    var number: Int32
    var architecture: UInt32
    var arguments: [UInt64]

    /// What the program returns; `nil` for one that runs off its end or does what filters here do not.
    func answer(of program: [sock_filter]) -> UInt32? {
        var accumulator: UInt32 = 0
        var index = 0
        while program.indices.contains(index) {
            let step = program[index]
            index += 1
            switch Int32(step.code) {
            case BPF_LD | BPF_W | BPF_ABS: accumulator = word(at: step.k)
            case BPF_ALU | BPF_AND | BPF_K: accumulator &= step.k
            case BPF_JMP | BPF_JEQ | BPF_K: index += Int(accumulator == step.k ? step.jt : step.jf)
            case BPF_JMP | BPF_JGE | BPF_K: index += Int(accumulator >= step.k ? step.jt : step.jf)
            case BPF_RET | BPF_K: return step.k
            default: return nil
            }
        }
        return nil
    }

    /// `struct seccomp_data`, of which only the lower halves of the arguments are looked at.
    private func word(at offset: UInt32) -> UInt32 {
        switch offset {
        case 0: return UInt32(bitPattern: number)
        case 4: return architecture
        default:
            let index = Int(offset - 16) / 8
            return index < arguments.count ? UInt32(truncatingIfNeeded: arguments[index]) : 0
        }
    }
}
