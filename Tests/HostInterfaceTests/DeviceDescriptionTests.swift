import HostInterface
import Testing

@Suite("What only some devices tell")
struct DeviceDescriptionTests {
    private func device(_ txt: [String: String]) -> DeviceDescription {
        DeviceDescription(
            id: "7C5A77FA-0000-4000-8000-000000000000", name: "Earbuds", capabilities: .realtimeAudio, type: "speaker",
            volumeControl: .absolute, canMute: false, canGroup: false, supportsSimultaneousSessions: false,
            endpoints: ["bluetooth:00-1A-7D-DA-71-13"], txt: txt)
    }

    @Test(arguments: [
        (["signal": "-60 dBm", "battery": "80 %"], -60, 80), (["battery": "0 %"], nil, 0), ([:], nil, nil),
        (["signal": "-60", "battery": "80"], nil, nil), (["signal": "-1000 dBm", "battery": "101 %"], nil, nil),
        (["signal": "much dBm", "battery": "99999999999999999999 %"], nil, nil), (["signal": " dBm"], nil, nil),
    ])
    func readsSignalAndBattery(_ txt: [String: String], _ signal: Int?, _ battery: Int?) {
        #expect(device(txt).signalStrength == signal && device(txt).batteryLevel == battery)
    }
}
