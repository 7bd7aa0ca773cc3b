/// The time limits of the host, all in one place so that tests and documentation agree.
package struct HostTiming: Sendable {
    /// The time for an extension's process to send its greeting.
    package var launch = Duration.seconds(6)
    /// The time for the result of an activation or a code, without the person's typing.
    package var activation = Duration.seconds(30)
    /// The time for a person to answer a prompt.
    package var prompt = Duration.seconds(300)
    /// The time for playback to start.
    package var sessionStart = Duration.seconds(30)
    /// The time for an extension to report whether a device still plays.
    package var adoption = Duration.seconds(10)
    /// The time for the recovery of a device in use after its extension or the daemon exited.
    package var recovery = Duration.seconds(60)
    /// The time for a request that waits for a recovery.
    package var patience = Duration.seconds(20)
    /// The time to stop a device that doesn't answer.
    package var farewell = Duration.seconds(5)
    /// The time for a remembered device to be confirmed during discovery.
    package var confirmation = Duration.seconds(10)

    /// The time for a listed device to answer a check.
    package var answer = Duration.seconds(1)
    /// After which a listed device that was asked is shown as being checked.
    package var hesitation = Duration.milliseconds(300)

    /// The time after which a discovery is as good as complete. SSDP devices answer within MX = 1 s, Bonjour sooner,
    /// and descriptions have to be fetched.
    package var settling = Duration.milliseconds(1500)
    /// The same time with Bluetooth. bluetoothd scans LE and then BR/EDR, 5.12 s each (Core specification 5.3, volume
    /// 3, part C, table A.1: `TGAP(100)`, `TGAP(102)`).
    package var bluetoothSettling = Duration.milliseconds(10_500)
    /// The same for a daemon that has run discovery before: its extensions run, and devices answer within MX = 1 s.
    package var renewal = Duration.milliseconds(1100)
    /// The time for which discovery continues after the last lease, so that goodbyes and new devices are noticed.
    /// Repeated short leases thus share one discovery: Avahi queries only for a browse that lasts a tenth of a second,
    /// and again after growing pauses.
    package var lingering = Duration.seconds(10)
    /// From the last sign of a Bluetooth device until it is shown as remembered: the adapters look around for 30 s of every
    /// 60 s, and find a device within 10.24 s.
    package var bluetoothSilence = Duration.seconds(45)
    /// The time after a completed discovery during which Bluetooth isn't awaited again.
    package var freshness = Duration.seconds(30)

    package init() {}
}
