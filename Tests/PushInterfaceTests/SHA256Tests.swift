import Crypto
import Testing

@testable import PushInterface

struct SHA256Tests {
    /// The standard's own examples.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func theStandardsExamples(message: String, digest: String) {
        let bytes = PushInterface.SHA256.digest(of: message.utf8)
        #expect(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == digest)
    }

    /// Every length around the end of a block, and another implementation.
    @Test func itIsWhatOthersCompute() {
        for count in 0..<200 {
            let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
            #expect(PushInterface.SHA256.digest(of: message) == Array(Crypto.SHA256.hash(data: message)))
        }
    }
}
