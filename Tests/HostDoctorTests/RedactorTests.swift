import HostInterface
import Testing

@testable import HostDoctor

@Suite struct RedactorTests {
    @Test(arguments: [
        ("from 10.0.0.5:80 and 10.0.0.6", "from private-address-1:80 and private-address-2"),
        ("8.8.8.8/24 169.254.1.1", "public-address-1/24 link-local-address-1"),
        ("127.0.0.1 239.255.255.250 0.0.0.0 999.1.1.1", "127.0.0.1 239.255.255.250 0.0.0.0 999.1.1.1"),
        ("[fe80::1%eth0]:80 fd77::3 ::1 ff02::c", "[link-local-address-1%eth0]:80 private-address-1 ::1 ff02::c"),
        ("at 2001:db8:0:1:2:3:4:5.", "at public-address-1."),
        ("02:42:ac:11:00:01", "hardware-address-1"),
        (
            "http://10.0.0.5:49494/d.xml?x=1 and https://cdn.example.com/secret/Film.MP4",
            "http-url-xml-1 and https-url-mp4-1"
        ),
        ("6D64686F-7374-4C61-8000-00000000000A", "id-1"),
        ("/org/mdhost/devices/6d64686f_7374_4c61_8000_00000000000a", "/org/mdhost/devices/id-1"),
        ("serving 5904ef9d72ec194aa14b14dae8961115", "serving key-1"),
        ("2026-11-21T23:18:50+0000 12:34:56 a::b", "2026-11-21T23:18:50+0000 12:34:56 public-address-1"),
        ("~ is /home/anna/x", "~ is private-path-1"),
        ("cannot read /home/anna/Music/My Secret Song.mp3", "cannot read private-path-1"),
        ("\"path\" : \"/media/usb stick/Film.mkv\",", "\"path\" : \"private-path-1\","),
        (
            "/home/anna/.local/state/mdhost/state.sqlite cannot be used",
            "~/.local/state/mdhost/state.sqlite cannot be used"
        ),
        ("“Our Wedding.mp4” is not served to “TV of us”", "quotation-1 is not served to quotation-2"),
        ("Anna's TV by anna", "name-1 by name-2"),
        ("", ""),
    ])
    func replaces(text: String, expected: String) {
        var redactor = Redactor(names: ["Anna's TV", "anna", "TV", ""], home: "/home/anna")
        #expect(redactor.redact(text) == expected)
    }

    @Test func whatIsTheSameStaysTheSame() {
        var redactor = Redactor(names: [], home: "/root")
        #expect(redactor.redact("10.0.0.5 10.0.0.6") == "private-address-1 private-address-2")
        #expect(redactor.redact("10.0.0.6 10.0.0.5") == "private-address-2 private-address-1")
    }

    @Test func whatAProgramLoggedAsPrivateIsHidden() {
        var redactor = Redactor(names: [], home: "/root")
        let line = "[player] found \(PrivateText.marked("Kitchen")) at 3\n[player] next"
        #expect(redactor.redact(line) == "[player] found <private> at 3\n[player] next")
    }
}
