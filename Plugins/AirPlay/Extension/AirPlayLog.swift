import Logging

/// The extension's log, on standard error, which the host collects.
let log = Logger(label: "org.mdhost.airplay")
