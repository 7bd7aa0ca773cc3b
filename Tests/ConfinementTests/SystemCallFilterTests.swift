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
        for number: Int32 in [
            SYS_read, SYS_openat, SYS_execve, SYS_futex, SYS_connect, SYS_getpid, SYS_mmap, SYS_clock_gettime,
        ] {
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

    /// Landlock governs that from Linux 6.2 on alone.
    @Test func nothingIsEmptiedThatIsNotOpenForWriting() throws {
        let (empty, writes, both) = (UInt64(O_TRUNC), UInt64(O_WRONLY), UInt64(O_RDWR))
        try expect(SYS_openat, [0, 0, empty], is: notPermitted)
        try expect(SYS_openat, [0, 0, empty | UInt64(O_CREAT), 0o600], is: notPermitted)
        for mode in [writes, both] {
            try expect(SYS_openat, [0, 0, empty | mode], is: allow)
            try expect(SYS_openat, [0, 0, empty | mode | UInt64(O_CREAT), 0o4600], is: notPermitted)
        }
        #if arch(x86_64)
            try expect(SYS_open, [0, empty], is: notPermitted)
        #endif
        try expect(SYS_truncate, is: notPermitted)
        try expect(SYS_ftruncate, is: allow)
    }

    @Test func sockets() throws {
        for family: Int32 in [AF_INET, AF_INET6] { try expect(SYS_socket, [UInt64(family), 1, 0], is: allow) }
        try expect(SYS_socket, [UInt64(AF_NETLINK), 3, 0], is: allow)
        try expect(SYS_socket, [UInt64(AF_NETLINK), 3, 9], is: noSuchFamily)
        for family: Int32 in [AF_UNIX, AF_PACKET, AF_BLUETOOTH, AF_VSOCK] {
            try expect(SYS_socket, [UInt64(family), 1, 0], is: noSuchFamily)
        }
        let closedOnExec = UInt64(SOCK_CLOEXEC.rawValue)
        for type in [SOCK_STREAM, SOCK_SEQPACKET] {
            try expect(SYS_socketpair, [UInt64(AF_UNIX), UInt64(type.rawValue) | closedOnExec], is: allow)
        }
        try expect(
            SYS_socketpair, [UInt64(AF_UNIX), UInt64(SOCK_DGRAM.rawValue) | closedOnExec], is: noSuchFamily)
        try expect(SYS_listen, is: notPermitted)
        try expect(SYS_listen, is: allow) { $0.ports = [8200] }
        try expect(SYS_listen, is: allow) { $0.takesConnections = true }
    }

    /// A Bluetooth socket that the host passes can be used, and not be made to pair.
    @Test func optionsOfBluetoothSocketsAreNotSet() throws {
        for level in [SOL_SOCKET, Int32(IPPROTO_TCP), Int32(IPPROTO_IPV6), 270] {
            try expect(SYS_setsockopt, [3, UInt64(level), 1], is: allow)
        }
        try expect(SYS_setsockopt, [3, 274, 4], is: notPermitted)
        try expect(SYS_setsockopt, [3, 0xFFFF_FFFF, 4], is: notPermitted)
    }

    @Test func noCallHasTwoRules() {
        for starts in [false, true] {
            var policy = ConfinementPolicy(parent: 1)
            policy.startsProcesses = starts
            let numbers = SystemCallRules.rules(for: policy, process: Self.own).map(\.number)
            let twice = Dictionary(grouping: numbers) { $0 }.filter { $0.value.count > 1 }.keys
            #expect(twice.isEmpty)
        }
    }

    @Test func aCallNobodyKnowsIsAnsweredAsByAnOlderKernel() throws {
        for number: Int32 in [425, 437, 462, 600, 9_999] { try expect(number, is: unknown) }
    }

    @Test func metadataOfFilesStays() throws {
        let calls = [
            SYS_fchmod, SYS_fchmodat, 452, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_inotify_init1,
            SYS_inotify_add_watch, SYS_mknodat,
        ]
        for number in calls { try expect(number, is: notPermitted) { $0.startsProcesses = true } }
        let unsupported: UInt32 = 0x0005_0000 | UInt32(EOPNOTSUPP)
        for number in [SYS_setxattr, SYS_getxattr, SYS_fremovexattr] { try expect(number, is: unsupported) }
        let makes: UInt64 = 0o101
        try expect(SYS_openat, [0, 0, makes, 0o755], is: allow)
        for mode: UInt64 in [0o4755, 0o2755, 0o6000] {
            try expect(SYS_openat, [0, 0, makes, mode], is: notPermitted)
            // O_TMPFILE
            try expect(SYS_openat, [0, 0, 0o20_200_001, mode], is: notPermitted)
            try expect(SYS_mkdirat, [0, 0, mode], is: notPermitted)
            // No file is created, so the mode is a leftover value.
            try expect(SYS_openat, [0, 0, 0, mode], is: allow)
        }
        #if arch(x86_64)
            for number in [SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_inotify_init, SYS_mknod] {
                try expect(number, is: notPermitted)
            }
            try expect(SYS_open, [0, makes, 0o4755], is: notPermitted)
            try expect(SYS_creat, [0, 0o4755], is: notPermitted)
        #endif
    }

    @Test func noSignalsByDescriptor() throws {
        for command: UInt64 in [0, 1, 2, 3, 5, 6, 7, 1030] { try expect(SYS_fcntl, [0, command], is: allow) }
        try expect(SYS_fcntl, [0, UInt64(F_SETFL), UInt64(O_NONBLOCK)], is: allow)
        try expect(SYS_fcntl, [0, UInt64(F_SETFL), 0x2000], is: notPermitted)
        // F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY
        for command: UInt64 in [8, 10, 15, 1024, 1026] { try expect(SYS_fcntl, [0, command], is: notPermitted) }
        // FIOSETOWN, SIOCSPGRP, FIOASYNC
        for request: UInt64 in [0x8901, 0x8902, 0x5452] { try expect(SYS_ioctl, [0, request], is: notPermitted) }
    }

    @Test func noSharedMemoryWithoutAFile() throws {
        try expect(SYS_mmap, [0, 4096, 3, 0x22], is: allow)
        try expect(SYS_mmap, [0, 4096, 3, 0x01], is: allow)
        for flags: UInt64 in [0x21, 0x23, 0x4021] { try expect(SYS_mmap, [0, 4096, 3, flags], is: notPermitted) }
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
        try expect(SYS_prctl, [UInt64(PR_SET_DUMPABLE), 0], is: notPermitted)
        for number in [SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr] {
            try expect(number, [0], is: allow)
            try expect(number, [own], is: allow)
            try expect(number, [1], is: notPermitted)
        }
        try expect(SYS_ioprio_set, [1, 0], is: allow)
        try expect(SYS_ioprio_set, [1, 1], is: notPermitted)
        try expect(SYS_ioprio_set, [3, 0], is: notPermitted)
        try expect(SYS_personality, [0xFFFF_FFFF], is: allow)
        try expect(SYS_personality, [0x40000], is: notPermitted)
    }
}

/// A system call in the eyes of a filter.
private struct FilteredCall {
    var number: Int32
    var architecture: UInt32
    var arguments: [UInt64]

    /// Returns the program's result; `nil` if it runs past its end or uses instructions that these filters don't.
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

    /// Reads a word of `struct seccomp_data`; filters read only the lower halves of the arguments.
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
