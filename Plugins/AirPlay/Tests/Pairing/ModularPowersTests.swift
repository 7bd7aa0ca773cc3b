import BigInt
import Crypto
import Testing

@testable import AirPlayPairing

/// Against the same of another library.
struct ModularPowersTests {
    @Test(arguments: [3, 5, 0xFFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0x1_0000_0001] as [BigUInt])
    func theSameAsBigInt(modulus: BigUInt) {
        let powers = ModularPowers(modulus)
        for base in [0, 1, 2, modulus - 1, modulus, modulus + 1, modulus * modulus + 7] as [BigUInt] {
            for exponent in [0, 1, 2, 15, 16, 0xFFFF_FFFF, 0x1_0000_0000] as [BigUInt] {
                #expect(
                    powers.power(base, exponent, modulus: modulus) == base.power(exponent, modulus: modulus),
                    "\(base) ^ \(exponent)")
            }
        }
    }

    @Test func theSameForNumbersOfManyDigits() {
        var generator = SplitMix64(state: 1)
        for width in [33, 64, 65, 96, 127, 256, 521] {
            let modulus = BigUInt.randomInteger(withExactWidth: width, using: &generator) | 1
            let powers = ModularPowers(modulus)
            for _ in 0..<20 {
                let base = BigUInt.randomInteger(withMaximumWidth: width + 8, using: &generator)
                let exponent = BigUInt.randomInteger(withMaximumWidth: 100, using: &generator)
                #expect(powers.power(base, exponent, modulus: modulus) == base.power(exponent, modulus: modulus))
            }
        }
        let scheme = SecureRemotePassword<SHA512>.homeKit
        let base = scheme.modulus - 12_345
        #expect(scheme.power(base, 65_537) == base.power(65_537, modulus: scheme.modulus))
    }
}
