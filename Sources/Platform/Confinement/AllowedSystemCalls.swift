import CProcess
import Glibc

/// The system calls that every confined program may make, with any arguments.
///
/// Measured over the extensions with `strace`, and completed with the calls that glibc, libdispatch, the Swift runtime,
/// NIO, TLS libraries and FFmpeg make on other kernels and architectures. Calls whose arguments matter have a rule in
/// ``SystemCallRules``; all others are refused.
enum AllowedSystemCalls {
    static func numbers(for policy: ConfinementPolicy) -> [Int] {
        var calls = transfer + files + memory + network + events + time + threads + identity
        #if arch(x86_64)
            calls += older
        #endif
        if policy.startsProcesses { calls += processes }
        if policy.listens { calls.append(SYS_listen) }
        return calls.map { Int($0) } + newer + (policy.startsProcesses ? newerOfProcesses : [])
    }

    private static let transfer: [Int32] = [
        SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_preadv, SYS_pwritev, SYS_preadv2,
        SYS_pwritev2, SYS_lseek, SYS_close, SYS_sendfile, SYS_copy_file_range, SYS_dup, SYS_dup3, SYS_pipe2,
    ]

    /// Landlock decides about the paths.
    private static let files: [Int32] = [
        SYS_fstat, SYS_newfstatat, SYS_statx, SYS_statfs, SYS_fstatfs, SYS_faccessat, SYS_readlinkat, SYS_getdents64,
        SYS_getcwd, SYS_chdir, SYS_fchdir, SYS_renameat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_unlinkat,
        SYS_umask, SYS_flock, SYS_fsync, SYS_fdatasync, SYS_ftruncate, SYS_fallocate, SYS_fadvise64, SYS_readahead,
    ]

    private static let memory: [Int32] = [
        SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk, SYS_msync, SYS_mincore, SYS_mlock, SYS_munlock,
        SYS_mlock2,
    ]

    private static let network: [Int32] = [
        SYS_connect, SYS_accept, SYS_accept4, SYS_bind, SYS_getsockname, SYS_getpeername, SYS_getsockopt,
        SYS_sendto, SYS_recvfrom, SYS_sendmsg, SYS_recvmsg, SYS_sendmmsg, SYS_recvmmsg, SYS_shutdown,
    ]

    private static let events: [Int32] = [
        SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_eventfd2, SYS_ppoll, SYS_pselect6, SYS_signalfd4,
        SYS_timerfd_create, SYS_timerfd_settime, SYS_timerfd_gettime,
    ]

    private static let time: [Int32] = [
        SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_times,
        SYS_getitimer, SYS_setitimer, SYS_timer_create, SYS_timer_settime, SYS_timer_gettime, SYS_timer_getoverrun,
        SYS_timer_delete,
    ]

    private static let threads: [Int32] = [
        SYS_futex, SYS_set_robust_list, SYS_get_robust_list, SYS_set_tid_address, SYS_gettid, SYS_sched_yield,
        SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler, SYS_sched_get_priority_max,
        SYS_sched_get_priority_min, SYS_getpriority, SYS_getcpu, SYS_membarrier, SYS_rt_sigaction, SYS_rt_sigprocmask,
        SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_rt_sigsuspend, SYS_sigaltstack,
        SYS_restart_syscall, SYS_exit, SYS_exit_group, SYS_execve,
    ]

    private static let identity: [Int32] = [
        SYS_getpid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getresuid, SYS_getresgid,
        SYS_getgroups, SYS_getpgid, SYS_getsid, SYS_capget, SYS_uname, SYS_sysinfo, SYS_getrlimit, SYS_setrlimit,
        SYS_getrusage, SYS_getrandom, SYS_wait4, SYS_waitid,
    ]

    /// System calls of programs that start other programs.
    private static let processes: [Int32] = [
        SYS_setpgid, SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_kill,
        SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
    ]

    /// pidfd_send_signal, pidfd_open.
    private static let newerOfProcesses = [424, 434]

    /// rseq, close_range, faccessat2, epoll_pwait2: numbers that older headers lack.
    private static let newer: [Int] = {
        #if arch(x86_64)
            let rseq = 334
        #else
            let rseq = 293
        #endif
        return [rseq, 436, 439, 441]
    }()

    #if arch(x86_64)
        /// Calls that newer architectures have under one name only.
        private static let older: [Int32] = [
            SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_rename, SYS_link, SYS_symlink, SYS_unlink,
            SYS_rmdir, SYS_dup2, SYS_pipe, SYS_epoll_create, SYS_epoll_wait, SYS_eventfd, SYS_poll, SYS_select,
            SYS_signalfd, SYS_getpgrp, SYS_alarm, SYS_pause, SYS_time, SYS_arch_prctl,
        ]
    #endif
}
