import CProcess
import Glibc

/// The system calls that a confined program may make, some of them only with some arguments.
///
/// `EPERM` and the like rather than an end: libraries try some of these and can do without.
enum SystemCallRules {
    /// For every call without a rule, as an older kernel would answer: libraries then take another way.
    static let otherwise = SystemCallRule.Verdict.fail(ENOSYS)

    static func rules(for policy: ConfinementPolicy, process: Int32) -> [SystemCallRule] {
        var rules = sockets(policy) + files + descriptors + memory + others(process, policy) + processes(policy)
        rules += AllowedSystemCalls.numbers(for: policy).map(SystemCallRule.allow)
        rules += refused.map { .refuse($0, EPERM) } + attributes.map { .refuse($0, EOPNOTSUPP) }
        return rules
    }

    /// Internet sockets and queries about interfaces. No Unix sockets: the link is inherited, pairs can be created, and
    /// the servers at paths (the session bus, the daemon) are for the person's own programs.
    private static func sockets(_ policy: ConfinementPolicy) -> [SystemCallRule] {
        func family(_ number: Int32) -> SystemCallRule.Condition {
            SystemCallRule.Condition(argument: 0, value: UInt32(number))
        }
        let routing = [family(AF_NETLINK), SystemCallRule.Condition(argument: 2, value: 0)]
        var rules: [SystemCallRule] = [
            .refuse(Int(SYS_socket), EAFNOSUPPORT, unless: [[family(AF_INET)], [family(AF_INET6)], routing]),
            // No datagrams: such a socket could send to any path, the journal's and the service manager's among them.
            .refuse(
                Int(SYS_socketpair), EAFNOSUPPORT,
                unless: [SOCK_STREAM, SOCK_SEQPACKET].map {
                    [family(AF_UNIX), SystemCallRule.Condition(argument: 1, mask: 0xF, value: UInt32($0.rawValue))]
                }),
        ]
        // The host passes connected Bluetooth sockets, for reading and writing only: no SOL_BLUETOOTH, which could
        // start a pairing. Of the levels from 256 on, only SOL_NETLINK is for sockets that the program can create.
        rules.append(
            .refuse(
                Int(SYS_setsockopt), EPERM,
                unless: [
                    [SystemCallRule.Condition(argument: 1, mask: 0xFFFF_FF00, value: 0)],
                    [SystemCallRule.Condition(argument: 1, value: 270)],
                ]))
        // Listening without binding before takes a port of the system's choice, which Landlock does not see.
        if !policy.listens { rules.append(.refuse(Int(SYS_listen), EPERM)) }
        return rules
    }

    /// Opening and making files, without set-id bits: a program that another user starts must not run as the person.
    ///
    /// Only files open for writing can be truncated: Landlock covers truncation only from version 3 on (Linux 6.2).
    private static let files: [SystemCallRule] = {
        func plain(_ argument: Int) -> [SystemCallRule.Condition] {
            [SystemCallRule.Condition(argument: argument, mask: 0o6000, value: 0)]
        }
        // The mode means nothing unless a file is made: O_CREAT, O_TMPFILE without O_DIRECTORY.
        func opens(_ flags: Int) -> [SystemCallRule.Condition] {
            [SystemCallRule.Condition(argument: flags, mask: 0o100 | 0o20_000_000, value: 0)]
        }
        // O_TRUNC, and neither O_WRONLY nor O_RDWR.
        func empties(_ flags: Int) -> ([SystemCallRule.Condition], SystemCallRule.Verdict) {
            ([SystemCallRule.Condition(argument: flags, mask: 0o1000 | 0o3, value: 0o1000)], .fail(EPERM))
        }
        func open(_ number: Int32, flags: Int) -> SystemCallRule {
            SystemCallRule(
                number: Int(number), cases: [empties(flags), (opens(flags), .allow), (plain(flags + 1), .allow)],
                otherwise: .fail(EPERM))
        }
        var rules: [SystemCallRule] = [
            open(SYS_openat, flags: 2), .refuse(Int(SYS_truncate), EPERM),
            .refuse(Int(SYS_mkdirat), EPERM, unless: [plain(2)]),
        ]
        #if arch(x86_64)
            rules += [
                open(SYS_open, flags: 1),
                .refuse(Int(SYS_creat), EPERM, unless: [plain(1)]), .refuse(Int(SYS_mkdir), EPERM, unless: [plain(1)]),
            ]
        #endif
        return rules
    }()

    /// Descriptor signals could go to any process: no F_SETOWN, F_SETSIG, O_ASYNC, FIOSETOWN.
    private static let descriptors: [SystemCallRule] = {
        let flags = SystemCallRule.Condition(argument: 1, value: UInt32(F_SETFL))
        let noSignals = SystemCallRule.Condition(argument: 2, mask: 0x2000, value: 0)
        let commands = [F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_GETLK, F_SETLK, F_SETLKW, 1030, 1032, 36, 37, 38]
        return [
            // With F_DUPFD_CLOEXEC, F_GETPIPE_SZ and the locks of open files.
            .refuse(
                Int(SYS_fcntl), EPERM,
                unless: [[flags, noSignals]]
                    + commands.map { [SystemCallRule.Condition(argument: 1, value: UInt32($0))] }),
            .refuse(
                Int(SYS_ioctl), EPERM,
                unless: controls.map { [SystemCallRule.Condition(argument: 1, value: $0)] }),
        ]
    }()

    /// FIONREAD, FIONBIO, FIOCLEX, FIONCLEX; TCGETS, TIOCGWINSZ, TIOCOUTQ; SIOCATMARK; and queries of interfaces:
    /// SIOCGIFNAME, CONF, FLAGS, ADDR, DSTADDR, BRDADDR, NETMASK, METRIC, MTU, HWADDR, INDEX.
    private static let controls: [UInt32] = [
        0x541B, 0x5421, 0x5451, 0x5450, 0x5401, 0x5413, 0x5411, 0x8905, 0x8910, 0x8912, 0x8913, 0x8915, 0x8917, 0x8919,
        0x891B, 0x891D, 0x8921, 0x8927, 0x8933,
    ]

    /// No shared memory without a file: it counts for no limit, and stays as long as any page of it is mapped.
    private static let memory: [SystemCallRule] = [
        .refuse(
            Int(SYS_mmap), EPERM,
            unless: [
                [SystemCallRule.Condition(argument: 3, mask: UInt32(MAP_SHARED), value: 0)],
                [SystemCallRule.Condition(argument: 3, mask: 0x20, value: 0)],
            ])
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
            .refuse(
                Int(SYS_prctl), EPERM, unless: settings.map { [SystemCallRule.Condition(argument: 0, value: $0)] }),
            .refuse(Int(SYS_personality), EPERM, unless: [[zero(0)], [.init(argument: 0, value: .max)]]),
        ]
        // The numbers of the program's other threads are unknown here, so only the calling thread may be set.
        rules += [SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr].map {
            .refuse(Int($0), EPERM, unless: [[zero(0)], [own(0)]])
        }
        // IOPRIO_WHO_PROCESS
        let single = SystemCallRule.Condition(argument: 0, value: 1)
        rules.append(.refuse(Int(SYS_ioprio_set), EPERM, unless: [[single, zero(1)], [single, own(1)]]))
        // The numbers of processes it starts are unknown here.
        guard !policy.startsProcesses else { return rules }
        rules += [SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo].map {
            .refuse(Int($0), EPERM, unless: [[own(0)]])
        }
        rules += [SYS_tkill, pidfdSendSignal].map { .refuse(Int($0), EPERM) }
        return rules
    }

    /// PR_GET_PDEATHSIG, GET_DUMPABLE, SET_NAME, GET_NAME, GET_SECCOMP, CAPBSET_READ, SET_TIMERSLACK, GET_TIMERSLACK,
    /// SET_NO_NEW_PRIVS, GET_NO_NEW_PRIVS, SET_THP_DISABLE, GET_THP_DISABLE, SET_VMA. Not SET_DUMPABLE, which would
    /// hide the process from the daemon.
    private static let settings: [UInt32] = [2, 3, 15, 16, 21, 23, 29, 30, 38, 39, 41, 42, 0x5356_4D41]

    private static func processes(_ policy: ConfinementPolicy) -> [SystemCallRule] {
        // CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET
        let namespaces = SystemCallRule.Condition(argument: 0, mask: 0x7E02_0000, value: 0)
        let thread = SystemCallRule.Condition(argument: 0, mask: 0x0001_0000, value: 0x0001_0000)
        var rules: [SystemCallRule] = [
            .refuse(Int(SYS_clone), EPERM, unless: [policy.startsProcesses ? [namespaces] : [namespaces, thread]])
        ]
        #if arch(x86_64)
            rules += [SYS_fork, SYS_vfork].map {
                policy.startsProcesses ? .allow(Int($0)) : .refuse(Int($0), EPERM)
            }
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
            // Memory shared by number or name, and memory that counts towards no limit.
            SYS_shmget, SYS_shmat, SYS_msgget, SYS_semget, SYS_mq_open, SYS_memfd_create,
            // Modes, owners and times of files, and news of them: Landlock does not govern these, so they would reach
            // everything that is the person's.
            SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_mknodat, SYS_inotify_init1,
            SYS_inotify_add_watch, SYS_inotify_rm_watch, SYS_fanotify_mark, SYS_name_to_handle_at,
        ]
        #if arch(x86_64)
            calls += [
                SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_ustat, SYS_chmod, SYS_chown, SYS_lchown,
                SYS_utime,
                SYS_utimes, SYS_futimesat, SYS_mknod, SYS_inotify_init,
            ]
        #endif
        // Numbers from 424 on are the same everywhere. open_tree, move_mount, fsopen, fsconfig, fsmount, fspick,
        // pidfd_getfd, process_madvise, mount_setattr, quotactl_fd, memfd_secret, process_mrelease, fchmodat2, open_tree_attr.
        return calls.map { Int($0) } + [428, 429, 430, 431, 432, 433, 438, 440, 442, 443, 447, 448, 452, 467]
    }()

    private static let pidfdSendSignal: Int32 = 424

    /// As of a file system without extended attributes, which programs are used to.
    private static let attributes: [Int] = [
        SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr, SYS_listxattr,
        SYS_llistxattr, SYS_flistxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
    ].map { Int($0) }
}
