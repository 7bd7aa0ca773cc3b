import Testing

extension Scenario {
    /// Failures during a pairing, and the clients that keep discovery running.
    static let trouble = Scenario(name: "trouble") { outcome in
        #expect(outcome["discovered"].hasPrefix("0 "))
        #expect(outcome["discovered"].contains("Bumble Speaker  speaker  Bluetooth  00:AA:01:01:00:01  ready  -60 dBm"))
        #expect(outcome["bluetoothctl"].contains("Name: Bumble Speaker"))
        let looks = outcome["looks"].split(separator: "; ")
        for controller in ["[hci0]", "[hci2]"] {
            let states = looks.filter { $0.hasPrefix(controller) }
            #expect(
                states.first?.hasSuffix("Enabled") == true && states.last?.hasSuffix("Disabled") == true, "\(looks)")
        }
        #expect(outcome["idle-scans"] == "0")
        #expect(outcome["silent"].hasPrefix("5 mdhost: Bumble Speaker was not confirmed in time."))
        #expect(outcome["gone"].hasPrefix("4 mdhost: The pairing was cancelled."))
        #expect(outcome["restarted"].hasPrefix("5 mdhost: bluetoothd"))
        for name in ["silent", "gone"] { #expect(outcome[name + "-bond"] != "true") }
        #expect(outcome["at-last"] == "0 Paired with Bumble Speaker. ")
        #expect(outcome["at-last-bond"] == "true")
    }

    /// The same with an LE device, whose security manager is another part of the stack.
    static let earbudsTrouble = Scenario(name: "earbuds-trouble") { outcome in
        #expect(outcome["cancelled"].hasPrefix("4 mdhost: Bumble Earbuds asks for a "))
        #expect(outcome["refused"].hasPrefix("4 mdhost: The device refused the code"))
        #expect(outcome["silent"].hasPrefix("5 mdhost: Bumble Earbuds was not confirmed in time."))
        #expect(outcome["gone"].hasPrefix("4 mdhost: The pairing was cancelled."))
        for name in ["cancelled", "refused", "silent", "gone"] { #expect(outcome[name + "-bond"] != "true", "\(name)") }
        #expect(outcome["at-last"] == "0 Paired with Bumble Earbuds. ")
        #expect(outcome["at-last-bond"] == "true")
    }
}
