import Testing

extension Scenario {
    /// A loudspeaker that is paired by confirmation: nothing of ours stands in for BlueZ, nor for the loudspeaker.
    static let speaker = Scenario(name: "speaker") { outcome in
        for fact in ["\"name\":\"Bumble Speaker\"", "\"type\":\"speaker\"", "\"bluetooth:00-AA-01-01-00-01\""] {
            #expect(outcome["listed"].contains(fact))
        }
        #expect(
            outcome["bluetoothctl"].contains("Name: Bumble Speaker") && outcome["bluetoothctl"].contains("Paired: no"))
        // There is no person to ask.
        #expect(outcome["cancelled"].hasPrefix("4 mdhost: Bumble Speaker asks for a "))
        #expect(outcome["cancelled-bond"] != "true")
        #expect(outcome["refused"].hasPrefix("4 "))
        #expect(outcome["refused-bond"] != "true")
        #expect(outcome["confirmed"] == "0 Paired with Bumble Speaker. ")
        #expect(outcome["confirmed-bond"] == "true")
        // There is no sound server: pairing isn't repeated, and the message names the missing part.
        #expect(outcome["after-restart"].hasPrefix("1 mdhost: No sound server of this machine takes part in Bluetooth"))
        #expect(outcome["forgotten"].hasPrefix("0 "))
        #expect(["gone", "false"].contains(outcome["forgotten-bond"]))
        #expect(outcome["again"] == "0 Paired with Bumble Speaker. ")
        #expect(outcome["again-bond"] == "true")
    }

    /// One with a PIN code.
    static let speakerPIN = Scenario(name: "speaker-pin") { outcome in
        #expect(outcome.value("cancelled")?.hasPrefix("4 mdhost: Bumble Speaker asks for a ") == true)
        #expect(outcome.value("wrong")?.hasPrefix("4 ") == true)
        #expect(outcome.value("wrong-bond") != "true")
        #expect(outcome.value("forgotten") == "gone")
        #expect(outcome.value("right") == "0 Paired with Bumble Speaker. ")
        #expect(outcome.value("right-bond") == "true")
    }

    /// LE, by six digits in every direction.
    static let earbuds = Scenario(name: "earbuds") { outcome in
        #expect(outcome["listed"].contains("\"name\":\"Bumble Earbuds\""))
        // Both stacks computed the same number from the keys of this one pairing.
        #expect(outcome["comparison-asked"].count == "show 123456".count)
        #expect(outcome["comparison-asked"] == outcome["comparison-shown"])
        for method in ["comparison", "display", "keyboard"] {
            #expect(outcome[method] == "0 Paired with Bumble Earbuds.", "\(method)")
            #expect(outcome[method + "-bond"] == "true", "\(method)")
        }
        #expect(outcome["wrong"].hasPrefix("4 "))
        #expect(outcome["wrong-bond"] != "true")
        // One device, the same by its made up address, by its lasting one, and when it is forgotten.
        let identifiers = ["listed", "listed-paired", "listed-again"].map { name in
            outcome[name].matches(of: /"id":"([^"]*)"/).map { String($0.output.1) }
        }
        #expect(identifiers[0].count == 1 && Set(identifiers).count == 1, "\(identifiers)")
        for name in ["listed", "listed-again"] { #expect(!outcome[name].contains("bluetooth:00-AA-01-01-00-01")) }
        #expect(outcome["listed-paired"].contains("bluetooth:00-AA-01-01-00-01"))
        #expect(outcome["listed-paired"].contains("\"isPaired\":true"))
    }
}
