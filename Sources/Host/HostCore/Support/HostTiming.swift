/// How long the host waits for others; every value in one place so tests and documentation agree.
package struct HostTiming: Sendable {
    /// For an extension's process to say hello.
    package var launch = Duration.seconds(6)
    /// For the outcome of an activation or of a code, a person's typing not included.
    package var activation = Duration.seconds(30)
    /// For a person to answer a prompt.
    package var prompt = Duration.seconds(300)
    /// For playback to start.
    package var sessionStart = Duration.seconds(30)
    /// For an extension to tell whether a device still plays what it played.
    package var adoption = Duration.seconds(10)
    /// For a device in use to be taken up again after its extension or the daemon died.
    package var recovery = Duration.seconds(60)
    /// For a request that waits for that.
    package var patience = Duration.seconds(20)
    /// For a device that does not answer to hear that it is to stop.
    package var farewell = Duration.seconds(5)
    /// For a remembered device to be confirmed while somebody looks.
    package var confirmation = Duration.seconds(10)

    /// For a listed device to answer when it is asked.
    package var answer = Duration.seconds(1)
    /// After which a listed device that was asked is shown as being checked.
    package var hesitation = Duration.milliseconds(300)

    /// After which a look around is as good as complete: SSDP devices answer within MX = 1 s, Bonjour sooner, and a
    /// description must be fetched.
    package var settling = Duration.milliseconds(1500)
    /// The same where Bluetooth looks around, too: bluetoothd listens for LE and then for BR/EDR, 5.12 s each (Core specification
    /// 5.3, volume 3, part C, table A.1: `TGAP(100)`, `TGAP(102)`).
    package var bluetoothSettling = Duration.milliseconds(10_500)
    /// The same for a daemon that has looked around before: its extensions run, and devices answer within MX = 1 s.
    package var renewal = Duration.milliseconds(1100)
    /// How long the daemon goes on looking after the last lease: goodbyes and newcomers are heard meanwhile. Whoever looks
    /// again and again for a moment has one look that way: Avahi asks the network only for a browse that is there for a tenth
    /// of a second, and again after pauses that grow while nobody browses, too.
    package var lingering = Duration.seconds(10)
    /// How long after the last look Bluetooth isn't awaited again.
    package var freshness = Duration.seconds(30)

    package init() {}
}
