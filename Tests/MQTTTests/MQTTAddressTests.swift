import MQTT
import Testing

struct MQTTAddressTests {
    @Test(arguments: [
        ("mqtts://living-room@broker.example:8884", true, "living-room", "broker.example", 8884),
        ("mqtts://a@broker", true, "a", "broker", 8883), ("MQTT://broker/", false, "", "broker", 1883),
        ("mqtt://a@[fe80::1]:7", false, "a", "fe80::1", 7), ("mqtts://a.b_c@[::1]", true, "a.b_c", "::1", 8883),
    ]) func isRead(_ text: String, _ isSecure: Bool, _ user: String, _ host: String, _ port: Int) throws {
        let address = try #require(MQTTAddress(text))
        #expect(address.isSecure == isSecure && address.user == user && address.host == host && address.port == port)
        #expect(MQTTAddress(address.description) == address)
    }

    @Test(arguments: [
        "", "broker", "https://broker", "mqtt://", "mqtt://@broker", "mqtt://a:secret@broker", "mqtt://a/b@broker",
        "mqtt://+@broker", "mqtt://broker:0", "mqtt://broker:65536", "mqtt://broker:", "mqtt://broker:+1",
        "mqtt://bro ker", "mqtt://[::1", "mqtt://[::1]x", "mqtt://broker/path", "mqtt://a#@broker",
    ]) func anythingElseIsNone(_ text: String) { #expect(MQTTAddress(text) == nil) }
}
