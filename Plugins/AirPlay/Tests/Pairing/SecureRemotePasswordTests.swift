import Crypto
import Testing

@testable import AirPlayPairing

/// RFC 5054, appendix B: SHA-1 and the group of 1024 bits.
struct SecureRemotePasswordTests {
    private static let scheme = SecureRemotePassword<Insecure.SHA1>(
        modulus: """
            EEAF0AB9 ADB38DD6 9C33F80A FA8FC5E8 60726187 75FF3C0B 9EA2314C 9C256576 D674DF74 96EA81D3 383B4813 D692C6E0
            E0D5D8E2 50B98BE4 8E495C1D 6089DAD1 5DC7D7B4 6154D6B6 CE8EF4AD 69B15D49 82559B29 7BCF1885 C529F566 660E57EC
            68EDBC3C 05726CC0 2FD4CBF4 976EAA9A FD5138FE 8376435B 9FC61D2F C0EB06E3
            """, generator: 2)
    private static let salt = RecordedPairing.bytes("BEB25379D1A8581EB5A727673A2441EE")
    private static let exponent = RecordedPairing.bytes(
        "60975527035CF2AD1989806F0407210BC81EDC04E2762A56AFD529DDDA2D4393")
    private static let clientKey = RecordedPairing.bytes(
        """
        61D5E490 F6F1B795 47B0704C 436F523D D0E560F0 C64115BB 72557EC4 4352E890 3211C046 92272D8B 2D1A5358 A2CF1B6E
        0BFCF99F 921530EC 8E393561 79EAE45E 42BA92AE ACED8251 71E1E8B9 AF6D9C03 E1327F44 BE087EF0 6530E69F 66615261
        EEF54073 CA11CF58 58F0EDFD FE15EFEA B349EF5D 76988A36 72FAC47B 0769447B
        """)
    private static let serverKey = RecordedPairing.bytes(
        """
        BD0C6151 2C692C0C B6D041FA 01BB152D 4916A1E7 7AF46AE1 05393011 BAF38964 DC46A067 0DD125B9 5A981652 236F99D9
        B681CBF8 7837EC99 6C6DA044 53728610 D0C6DDB5 8B318885 D7D82C7F 8DEB75CE 7BD4FBAA 37089E6F 9C6059F3 88838E7A
        00030B33 1EB76840 910440B1 B27AAEAE EB4012B7 D7665238 A8E3FB00 4B117B58
        """)
    private static let secret = RecordedPairing.bytes(
        """
        B0DC82BA BCF30674 AE450C02 87745E79 90A3381F 63B387AA F271A10D 233861E3 59B48220 F7C4693C 9AE12B0A 6F67809F
        0876E2D0 13800D6C 41BB59B6 D5979B5C 00A172B4 A2A5903A 0BDCAF8A 709585EB 2AFAFA8F 3499B200 210DCC1F 10EB3394
        3CD67FC8 8A2F39A4 BE5BEC4E C0A3212D C346D7E4 74B29EDE 8A469FFE CA686E5A
        """)

    private typealias Scheme = SecureRemotePassword<Insecure.SHA1>

    @Test func numbersOfBothSides() {
        let scheme = Self.scheme
        #expect(Scheme.bytes(scheme.multiplier) == RecordedPairing.bytes("7556AA045AEF2CDD07ABAF0F665C3E818913186F"))
        let secret = scheme.secret(user: "alice", password: "password123", salt: Self.salt)
        #expect(Scheme.bytes(secret) == RecordedPairing.bytes("94B7555AABE9127CC58CCF4993DB6CF84D16C124"))
        let scrambler = scheme.scrambler(Scheme.number(Self.clientKey), Scheme.number(Self.serverKey))
        #expect(Scheme.bytes(scrambler) == RecordedPairing.bytes("CE38B9593487DA98554ED47D70A7AE5F462EF019"))
        let verifier = scheme.verifier(user: "alice", password: "password123", salt: Self.salt)
        #expect(verifier.starts(with: RecordedPairing.bytes("7E273DE8696FFC4F4E337D05B4B375BEB0DDE1")))
        #expect(verifier.count == 128)
    }

    @Test func theSecretOfTheClient() throws {
        let client = PasswordClient(
            Self.scheme, user: "alice", password: "password123", exponent: Self.exponent)
        #expect(client.publicKey == Self.clientKey)
        let secret = client.secret(
            salt: Self.salt, server: Scheme.number(Self.serverKey),
            scrambler: Self.scheme.scrambler(Scheme.number(Self.clientKey), Scheme.number(Self.serverKey)))
        #expect(Self.scheme.padded(secret) == Self.secret)
        let session = try client.session(salt: Self.salt, serverKey: Self.serverKey)
        #expect(session.key == Scheme.hash(Self.secret))
    }

    /// Such a key would make the secret public.
    @Test func keysThatHideNothingAreRefused() {
        let client = PasswordClient(Self.scheme, user: "alice", password: "password123", exponent: Self.exponent)
        let multiple = Scheme.bytes(Self.scheme.modulus)
        for key in [[], [0], [UInt8](repeating: 0, count: 128), multiple, [1] + multiple] {
            #expect(throws: PairingError.self) { try client.session(salt: Self.salt, serverKey: key) }
        }
    }
}
