/// The reason a Bluetooth operation failed.
package struct BlueZError: Error, Sendable, Hashable {
    package enum Code: String, Sendable, CaseIterable {
        /// This machine has no system bus, or it cannot be reached.
        case noSystemBus
        /// bluetoothd is not there, and the bus could not start it.
        case notRunning
        /// The system bus does not let this user talk to bluetoothd.
        case accessDenied
        /// No controller.
        case noAdapter
        /// The controller is switched off.
        case notPowered
        /// The controller is kept off by a switch or `rfkill`.
        case blocked
        /// bluetoothd doesn't know the device, or has removed it.
        case noSuchDevice
        case alreadyPaired
        /// Another attempt of the same kind is under way.
        case inProgress
        /// The code was wrong, or the device no longer accepts one.
        case authenticationFailed
        /// The device, or the person at it, said no.
        case authenticationRejected
        /// The person or the device cancelled the pairing while it waited for an answer.
        case authenticationCancelled
        case authenticationTimedOut
        /// The device does not answer: switched off, out of reach, or taken by another.
        case unreachable
        /// Neither side has a profile the other one could use; for sound: no sound server offers one.
        case noProfile
        case notConnected
        case notSupported
        case notPermitted
        case invalidArguments
        /// bluetoothd did not answer in time.
        case timedOut
        /// The caller cancelled the request.
        case cancelled
        case failed
    }

    package let code: Code
    /// bluetoothd's text, or ours if it has none; for people.
    package let message: String
    /// The error of the attribute protocol, for reads and writes that the device refused (Core 3.F, 3.4.1.1).
    package let attributeError: UInt8?

    package init(_ code: Code, _ message: String, attributeError: UInt8? = nil) {
        self.code = code
        self.message = message
        self.attributeError = attributeError
    }

    /// The step that may fix the problem, in one sentence.
    package var remedy: String? {
        switch code {
        case .noSystemBus: "Start the system bus: `sudo systemctl start dbus`."
        case .notRunning:
            "Install and start Bluetooth: `sudo apt install bluez`, then `sudo systemctl enable --now bluetooth`."
        case .accessDenied: "Add yourself to the group `bluetooth`, or log in at the machine itself."
        case .noAdapter: "Plug in a Bluetooth adapter, and see that `bluetoothctl list` shows it."
        case .notPowered: "Switch Bluetooth on: `bluetoothctl power on`."
        case .blocked: "Unblock Bluetooth: `rfkill unblock bluetooth`, or the switch on the machine."
        case .noSuchDevice: "Put the device into pairing mode and look for it again."
        case .alreadyPaired: nil
        case .inProgress: "Wait until the other attempt is over, then try again."
        case .authenticationFailed: "Put the device into pairing mode, then pair it again with the right code."
        case .authenticationRejected: "Confirm on the device, then pair it again."
        case .authenticationCancelled: "Pair it again."
        case .authenticationTimedOut: "Pair it again, and answer within half a minute."
        case .unreachable: "Switch the device on, bring it near, and disconnect it from other phones and computers."
        case .noProfile:
            """
            Have a sound server offer Bluetooth: `sudo apt install libspa-0.2-bluetooth` for PipeWire, \
            `pulseaudio-module-bluetooth` for PulseAudio, and log in at the machine, as both wait for a seat.
            """
        case .notConnected: "Connect the device first."
        case .timedOut: "Try again; `sudo systemctl restart bluetooth` where that does not help."
        case .notSupported, .notPermitted, .invalidArguments, .cancelled, .failed: nil
        }
    }
}
