import Testing

extension Scenario {
    /// A loudspeaker that is paired by confirmation: nothing of ours stands in for BlueZ, nor for the loudspeaker.
    static let speaker = Scenario(name: "speaker") { outcome in
        func line(_ name: String) -> String { outcome.value(name) ?? "" }
        for fact in ["\"name\":\"Bumble Speaker\"", "\"type\":\"speaker\"", "\"bluetooth:00-AA-01-01-00-01\""] {
            #expect(line("listed").contains(fact))
        }
        #expect(line("bluetoothctl").contains("Name: Bumble Speaker") && line("bluetoothctl").contains("Paired: no"))
        #expect(line("cancelled").hasPrefix("130 "))
        #expect(line("cancelled-bond") != "true")
        #expect(line("refused").hasPrefix("4 "))
        #expect(line("refused-bond") != "true")
        #expect(line("confirmed") == "0 Paired with Bumble Speaker. ")
        #expect(line("confirmed-bond") == "true")
        // No sound server is there: the bond is not asked for again, and the sentence says what is missing.
        #expect(line("after-restart").hasPrefix("1 mdhost: No sound server of this machine takes part in Bluetooth"))
        #expect(line("forgotten").hasPrefix("0 "))
        #expect(["gone", "false"].contains(line("forgotten-bond")))
        #expect(line("again") == "0 Paired with Bumble Speaker. ")
        #expect(line("again-bond") == "true")
    }

    /// One with a PIN code.
    static let speakerPIN = Scenario(name: "speaker-pin") { outcome in
        #expect(outcome.value("cancelled")?.hasPrefix("130 ") == true)
        #expect(outcome.value("wrong")?.hasPrefix("4 ") == true)
        #expect(outcome.value("wrong-bond") != "true")
        #expect(outcome.value("right") == "0 Paired with Bumble Speaker. ")
        #expect(outcome.value("right-bond") == "true")
    }

    /// LE, by six digits in every direction.
    static let earbuds = Scenario(name: "earbuds") { outcome in
        func line(_ name: String) -> String { outcome.value(name) ?? "" }
        #expect(line("listed").contains("\"name\":\"Bumble Earbuds\""))
        // Both stacks computed the same number from the keys of this one pairing.
        #expect(line("comparison-asked").count == "show 123456".count)
        #expect(line("comparison-asked") == line("comparison-shown"))
        for method in ["comparison", "display", "keyboard"] {
            #expect(line(method) == "0 Paired with Bumble Earbuds.", "\(method)")
            #expect(line(method + "-bond") == "true", "\(method)")
        }
        #expect(line("wrong").hasPrefix("4 "))
        #expect(line("wrong-bond") != "true")
        // One device, the same by its made up address, by its lasting one, and when it is forgotten.
        let identifiers = ["listed", "listed-paired", "listed-again"].map { name in
            line(name).matches(of: /"id":"([^"]*)"/).map { String($0.output.1) }
        }
        #expect(identifiers[0].count == 1 && Set(identifiers).count == 1, "\(identifiers)")
        for name in ["listed", "listed-again"] { #expect(!line(name).contains("bluetooth:00-AA-01-01-00-01")) }
        #expect(line("listed-paired").contains("bluetooth:00-AA-01-01-00-01"))
        #expect(line("listed-paired").contains("\"isPaired\":true"))
    }
}
