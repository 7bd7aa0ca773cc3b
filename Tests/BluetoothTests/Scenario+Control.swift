import Testing

extension Scenario {
    /// Level, keys and what is shown, between BlueZ's AVRCP and another stack's.
    static let control = Scenario(name: "control") { outcome in
        func line(_ name: String) -> String { outcome.value(name) ?? "" }
        #expect(line("paired") == "0 Paired with Bumble Speaker. ")
        #expect(line("played").hasPrefix("0 Playing on Bumble Speaker"))
        // 30 % of 127.
        #expect(line("level-set").contains("\"level\": 38"))
        // 100 of 127.
        #expect(line("level-of-speaker").hasPrefix("0.787"))
        for fact in ["PlayStatus.PLAYING", "Two Sweeps", "The Oscillators"] { #expect(line("told").contains(fact)) }
        #expect(line("key-pause").contains("\"isPlaying\":false"))
        #expect(line("key-play").contains("\"isPlaying\":true"))
        #expect(line("called-again").contains("\"state\":\"active\""))
        #expect(line("stopped").hasPrefix("0 "))
    }

    /// What goes wrong while a device is paired, and who looks around.
    static let trouble = Scenario(name: "trouble") { outcome in
        func line(_ name: String) -> String { outcome.value(name) ?? "" }
        #expect(line("discovered").hasPrefix("0 "))
        #expect(line("discovered").contains("Bumble Speaker  speaker  Bluetooth  00:AA:01:01:00:01  ready  -60 dBm"))
        #expect(line("bluetoothctl").contains("Name: Bumble Speaker"))
        let looks = line("looks").split(separator: "; ")
        for controller in ["[hci0]", "[hci2]"] {
            let states = looks.filter { $0.hasPrefix(controller) }
            #expect(
                states.first?.hasSuffix("Enabled") == true && states.last?.hasSuffix("Disabled") == true, "\(looks)")
        }
        #expect(line("idle-scans") == "0")
        #expect(line("silent").hasPrefix("5 mdhost: Bumble Speaker was not confirmed in time."))
        #expect(line("gone").hasPrefix("4 mdhost: The pairing was cancelled."))
        #expect(line("restarted").hasPrefix("5 mdhost: bluetoothd"))
        for name in ["silent", "gone"] { #expect(line(name + "-bond") != "true") }
        #expect(line("at-last") == "0 Paired with Bumble Speaker. ")
        #expect(line("at-last-bond") == "true")
    }

    /// The same with an LE device, whose security manager is another part of the stack.
    static let earbudsTrouble = Scenario(name: "earbuds-trouble") { outcome in
        func line(_ name: String) -> String { outcome.value(name) ?? "" }
        #expect(line("cancelled") == "130 mdhost: Pairing with Bumble Earbuds was cancelled. ")
        #expect(line("refused").hasPrefix("4 mdhost: The device did not accept the code"))
        #expect(line("silent").hasPrefix("5 mdhost: Bumble Earbuds was not confirmed in time."))
        #expect(line("gone").hasPrefix("4 mdhost: The pairing was cancelled."))
        for name in ["cancelled", "refused", "silent", "gone"] { #expect(line(name + "-bond") != "true", "\(name)") }
        #expect(line("at-last") == "0 Paired with Bumble Earbuds. ")
        #expect(line("at-last-bond") == "true")
    }
}
