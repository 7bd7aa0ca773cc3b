package import Confinement

extension ConfinementPolicy {
    /// The system files that programs of any language need to start, resolve names, check certificates and format text.
    package static let system: [Place] =
        ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"].map { Place($0, .run) }
        + [
            // The loader and the C library.
            "ld.so.cache", "ld.so.preload", "nsswitch.conf", "passwd", "group", "localtime", "timezone",
            "locale.alias", "locale.conf", "os-release",
            // Names and addresses.
            "resolv.conf", "hosts", "host.conf", "hostname", "gai.conf", "services", "protocols", "networks",
            // Certificates.
            "ssl/certs", "ssl/openssl.cnf", "ca-certificates", "pki/tls/certs", "pki/ca-trust",
            "crypto-policies",
        ].map { Place("/etc/" + $0, .read) }
        // The targets of the resolv.conf link; whole folders, because the files are replaced when the network changes.
        + ["systemd/resolve", "NetworkManager", "resolvconf", "connman"].map { Place("/run/" + $0, .read) }
        // All of /proc: Swift's runtime looks up its own threads by number there. Private entries of other processes
        // stay refused.
        + [
            "/proc", "/sys/devices/system/cpu", "/dev/random", "/dev/urandom",
        ].map { Place($0, .read) }
        // Not /dev/zero: mapped as shared memory it counts for no limit.
        + ["/dev/null", "/dev/full"].map { Place($0, .write) }
}
