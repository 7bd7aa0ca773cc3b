import CProcess
import Glibc

/// Which system calls a confined program has no business with, or only with some arguments.
///
/// `EPERM` and the like rather than an end: libraries try some of these and can do without.
enum SystemCallRules {
    static func rules(for policy: ConfinementPolicy, process: Int32) -> [SystemCallRule] {
        // The most frequent ones first: every call of the program walks down this list.
        var rules = sockets(policy) + devices + others(process, policy) + processes(policy)
        rules += refused.map { .refuse($0, EPERM) } + unknown.map { .refuse($0, ENOSYS) }
        return rules
    }

    /// The internet and what the system tells about interfaces. No Unix sockets: the link is inherited, pairs can be
    /// made, and whatever listens at a path (the session bus, the daemon) is for the person's own programs.
    private static func sockets(_ policy: ConfinementPolicy) -> [SystemCallRule] {
        func family(_ number: Int32) -> SystemCallRule.Condition {
            SystemCallRule.Condition(argument: 0, value: UInt32(number))
        }
        let routing = [family(AF_NETLINK), SystemCallRule.Condition(argument: 2, value: 0)]
        var rules: [SystemCallRule] = [
            .refuse(Int(SYS_socket), EAFNOSUPPORT, unless: [[family(AF_INET)], [family(AF_INET6)], routing]),
            .refuse(Int(SYS_socketpair), EAFNOSUPPORT, unless: [[family(AF_UNIX)]]),
        ]
        // Listening without binding before takes a port of the system's choice, which Landlock does not see.
        if !policy.listens { rules.append(.refuse(Int(SYS_listen), EPERM)) }
        return rules
    }

    /// Typing into a terminal: `TIOCSTI`, `TIOCLINUX`.
    private static let devices: [SystemCallRule] = [
        .refuse(Int(SYS_ioctl), EPERM, argument: 1, in: [0x5412, 0x541C])
    ]

    /// Calls that concern another process by its number; 0 is the caller.
    private static func others(_ process: Int32, _ policy: ConfinementPolicy) -> [SystemCallRule] {
        func own(_ argument: Int) -> SystemCallRule.Condition {
            SystemCallRule.Condition(argument: argument, value: UInt32(bitPattern: process))
        }
        func zero(_ argument: Int) -> SystemCallRule.Condition {
            SystemCallRule.Condition(argument: argument, value: 0)
        }
        var rules: [SystemCallRule] = [
            .refuse(Int(SYS_prlimit64), EPERM, unless: [[zero(0)], [own(0)]]),
            // The first argument 0: a process, not a group or all of a user.
            .refuse(Int(SYS_setpriority), EPERM, unless: [[zero(0), zero(1)], [zero(0), own(1)]]),
            .refuse(Int(SYS_prctl), EPERM, argument: 0, in: [UInt32(PR_SET_PDEATHSIG)]),
            .refuse(Int(SYS_personality), EPERM, unless: [[zero(0)], [.init(argument: 0, value: .max)]]),
        ]
        // Processes it started itself have numbers nobody knows yet.
        guard !policy.startsProcesses else { return rules }
        rules += [SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo].map {
            .refuse(Int($0), EPERM, unless: [[own(0)]])
        }
        rules += [SYS_tkill, pidfdSendSignal].map { .refuse(Int($0), EPERM) }
        return rules
    }

    private static func processes(_ policy: ConfinementPolicy) -> [SystemCallRule] {
        // CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET
        let namespaces = SystemCallRule.Condition(argument: 0, mask: 0x7E02_0000, value: 0)
        let thread = SystemCallRule.Condition(argument: 0, mask: 0x0001_0000, value: 0x0001_0000)
        var rules: [SystemCallRule] = [
            .refuse(Int(SYS_clone), EPERM, unless: [policy.startsProcesses ? [namespaces] : [namespaces, thread]])
        ]
        #if arch(x86_64)
            if !policy.startsProcesses { rules += [.refuse(Int(SYS_fork), EPERM), .refuse(Int(SYS_vfork), EPERM)] }
        #endif
        return rules
    }

    private static let refused: [Int] = {
        var calls: [Int32] = [
            // Other processes.
            SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_setsid,
            // Mounts and roots.
            SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_swapon, SYS_swapoff, SYS_quotactl,
            SYS_open_by_handle_at, SYS_fanotify_init,
            // Namespaces.
            SYS_unshare, SYS_setns,
            // The kernel itself.
            SYS_reboot, SYS_kexec_load, SYS_kexec_file_load, SYS_init_module, SYS_finit_module, SYS_delete_module,
            SYS_bpf,
            SYS_perf_event_open, SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_acct, SYS_syslog,
            SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_vhangup,
            // Memory shared by number or name, and such that counts for nobody.
            SYS_shmget, SYS_shmat, SYS_msgget, SYS_semget, SYS_mq_open, SYS_memfd_create,
        ]
        #if arch(x86_64)
            calls += [SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_ustat]
        #endif
        // Numbers from 424 on are the same everywhere. open_tree, move_mount, fsopen, fsconfig, fsmount, fspick,
        // pidfd_getfd, process_madvise, mount_setattr, quotactl_fd, memfd_secret, process_mrelease, open_tree_attr.
        return calls.map { Int($0) } + [428, 429, 430, 431, 432, 433, 438, 440, 442, 443, 447, 448, 467]
    }()

    private static let pidfdSendSignal: Int32 = 424

    /// Whose arguments lie in memory, where no filter can look: callers have another way for kernels without them.
    /// io_uring_setup, io_uring_enter, io_uring_register, clone3.
    private static let unknown = [425, 426, 427, 435]
}
