import Crypto
import Testing

@testable import AirPlayPairing

/// Results of Python's `pow`.
@Suite struct ModularPowersTests {
    /// Base, exponent, modulus, power.
    private static let results = [
        ("0", "0", "3", "1"),
        ("1", "2", "3", "1"),
        ("2", "10", "3", "1"),
        ("2", "100000000", "3", "1"),
        ("4", "1", "3", "1"),
        ("10", "f", "3", "1"),
        ("0", "ffffffff", "5", "0"),
        ("2", "0", "5", "1"),
        ("4", "2", "5", "1"),
        ("5", "10", "5", "0"),
        ("6", "100000000", "5", "1"),
        ("0", "1", "ffffffff", "0"),
        ("1", "f", "ffffffff", "1"),
        ("2", "ffffffff", "ffffffff", "80000000"),
        ("ffffffff", "0", "ffffffff", "1"),
        ("100000000", "2", "ffffffff", "1"),
        ("fffffffe00000008", "10", "ffffffff", "a5059bba"),
        ("0", "100000000", "ffffffffffffffff", "0"),
        ("2", "1", "ffffffffffffffff", "2"),
        ("fffffffffffffffe", "f", "ffffffffffffffff", "fffffffffffffffe"),
        ("ffffffffffffffff", "ffffffff", "ffffffffffffffff", "0"),
        ("fffffffffffffffe0000000000000008", "0", "ffffffffffffffff", "1"),
        ("0", "2", "100000001", "0"),
        ("1", "10", "100000001", "1"),
        ("2", "100000000", "100000001", "1"),
        ("100000001", "1", "100000001", "0"),
        ("100000002", "f", "100000001", "1"),
        ("10000000200000008", "ffffffff", "100000001", "74901e8c"),
        ("ca269e0d37", "d128b2f330c5c7fd0a6a3a450", "152e6b439", "ad7e7497"),
        ("12a5d9dc9f8", "381e74ef5e8e25d940ed90475", "1892f902b", "e8762147"),
        ("d66f03675a", "81738f7d93d9c172411e20b8f", "1099950d9", "f0092c8"),
        ("1f90c192cfd3ac94af", "aa170b33839263059f28c105d", "8f21ddb66cad4a27", "289059a5e8e9093a"),
        ("9593bd04cf0fd630f1", "3f9ebdacc0cb1e29c658cda14", "f29d0da9953f48f1", "7e3c0dfcebd658fc"),
        ("4a2217beaddbc496cb", "18a6a63ec24ede6a46b4cb242", "8e81973e0becd7b1", "3f5964abf15ab88e"),
        ("5cae97ba94d0eda82f", "a923a736994e3bf911a61dbe2", "14ef8aa3892276659", "10edba3a1580d5bf0"),
        ("20b64ce4228c38fb29", "39e7769b10f4205b4907a70c3", "15f557203301850c5", "1063129f2a14164e5"),
        ("a0c6f877186d76b07e", "7ec66a78795e761d17731af10", "1ae2eb1547f150525", "812890d44b4c4cdf"),
        (
            "c7b2f14c942e05319acb5c7427", "4930d6eaf14f4733f3e7d1bfb", "bf98e2774cbd87ad5c90a959",
            "238fc1a93d3a27f67633b2"
        ),
        (
            "4972e6cc3ababced2057ee05cd", "112bd4acefaecbd389be4bcfc", "e00902c77ebff20686734721",
            "b5c160a99e5f832ed600f5f"
        ),
        (
            "ee26e875555790f82ec1d3fcff", "f0a097c976bf46c697d2caf82", "aa3af4d46b0a18e8830e07bd",
            "3f0ced133580d975d8c1c408"
        ),
        (
            "28d17f9acae01f5057ca02135e92b1d3f2", "959a54a7bb1fee08f57124242", "476f06bdc3baea9e13deef86ab1031d1",
            "18e6bacc37ebd5b3382d66c3f895aef2"
        ),
        (
            "22f1d69ed617f5e837d70820fe119a72d1", "1aa05e11ab2715945795e8229", "7a64efb5cc011cdd9474031b7f26144b",
            "c6cb9b6e7d5e21761e2e8d040eaa8cd"
        ),
        (
            "69ae658f33fe3b890b93f448b3a5aa3c81", "6b774eb5248db40af72158370", "67a136e5b394fb36bb2d420f0f88080b",
            "21665805365f81a6587ce95d7453a586"
        ),
        (
            "bd211c70cf49952399c4aaeac137dc76fb0f17a3007e62aa0a1df9fd789c653938", "e6415479c65dc9f503f63af83",
            "ab0537e65affb2297631a992f0ce583505c6af0758d5563dab2cd31ee3151289",
            "2d772284810826d8dde8f1c6472b1368f6554c0e5747daef2fc7ac7d78508a0b"
        ),
        (
            "6ab4d66a3a47469a4d8cdb305fdd2e16096e36aab0d1bc52d9230d977ee2257159", "eaec6f0245bd86d40fc891b4a",
            "c720771f8ca8181166d2287672fdf2022a96fb1a14a0f9e77f1b103cdf1582b1",
            "738c2fa47754b35ab26af0b8d46609b5d082cd5ac49ad30f81a1aa44a57cf368"
        ),
        (
            "4843435cc52eae05cf96d0cc5fd4c28c2e7c26847f0316909e3bbbe9eaa8948c89", "86b4013ef254b0c4e010c4759",
            "bb61867626bb7dbd2d1c9af0153e7c2a26a2c0bd3b1287fff52ddf5d616499c9",
            "5073174b2e8ea5ed2662b0b82d35dae9fd2e1f6646f220f7f9d466ce1f333e54"
        ),
        (
            "61970fef792866836886a260cd0b7b45145c1a81682c64e50cad66237a0465e7e4236472f1a38f2c6ec8cc4169a3ae3a2b7fdfe01893f3aed0b6c7ac1491def88334",
            "73571810afc132d0d113db17d",
            "1cc74e69a5d0dd27a65bd628881ad1b72dba7abe1c29e1a8ef4f341e07a83f73f16dbf4a8b2b0c4312d20203626f3fe39c0519088f590fbbd119c1caaf75e8766ed",
            "1b512e4991b0fbb1fababd07c9f28e1f582d50a6f4786cbc76b78080a5aa08b43f06f9ec66c3755bda4aa00b18ff89aa04af5ef90d49be6c8101bdaabefc2941055"
        ),
        (
            "1f4a5fe3bfada7cf20724d953ee261d87cec31f7296ab7961fd925d39d0a89a2ef80f58ee8571f4998d7c4093f6dea268aa872607679d6050914a9d33a01c353c631c",
            "47bdc968b7afb2c68774b15d7",
            "1bf1200339d068739fa9d1de2a05d158a2ff2ee4e4519f9919c895fd7b326b94c7f9118bb16000f49c81a358ca00d75985d99c94309570dc1951c2442f9298cb3a5",
            "58695581a4afeac941aa5e01480b7bdbbf565482357382dadd40171faa9f308e5ba6e260257b24ac108583f4bea934d9bd91fc247f0b40f7b0f3813fd0e50ccb83"
        ),
        (
            "1096b42d87208d86f40f6b239f3c7174c77a2dd02de92a49636a2fa7f0eab4c4f9b0687322e25c215a82a06ec41adea0575438b0d590bb0a844e52587be6b5c9bcf35",
            "52ac34446e883a1d45de00997",
            "10ef3b7a50df373ca533488f87605e999f3842e7fc229540a6eb12aa1f6d42fddbb7a86f7a243c71b9abd87a86557b6fb7ebfeaa1551a28f7b324e4e25a15fc899f",
            "75dc799dda52b15fe5286a8dfba687a3ee85e7f0538e61130b02b10264f0f091c453ca4185c1421570032be825c2a9f13eceadcf24e3b13826444b8169dd82bb5e"
        ),
        (
            "7a007d1034d726c86b9c3a23cde67a9b75fc3947249fc2d0a17b8f2ab53451d0135675f6ad325b55dd785729763a12917c1a26f88938703800149e259b5d58c705f979d04af47aebdd597a1ecffcf00fecb91ee9e5efe09f07cefe2a1f727d83495822cb77f4de2c089aea6429b1491e243192b7044259405278e4b98d4787f93b",
            "c5810d60ea72991b9e8c14743",
            "ca44eb860726e25cfd56a926076b3e36bb2313f55b06258e7e26f36a8483f8b8332dd3313a0b9965cda6c6fdbd68516766934036d17e44973d4882a5ce5b2a9231f51707da45e18ac2216b02fc241d0bc9d488b1cfbf33609cfc865239194242a2eddbbd5464ecc280b0c08bc77024208aa4248c8857f9a43908f227c59db917",
            "a698bd73343f25b9a11cb86ba5f1ac198f585718341c9dd63b74d91f69b73870aff5e78df8a8a508803fb1485e081d8f7b6d9f412154e43b34142c69c0f0138d85b5c3305f8f86926d399e39d976c512658424ea8b7f34fd0e6b18707f8151d43a597d720dbc6ef4a97b05531c127a977e4370550228e1981df63c51a49961b7"
        ),
        (
            "23ef02090bbfdefc1586ce03f91a4f44f9a6511445b9f3635cf88c422bcca2a92b03a56cc1057a40b22188287e8c5c715f8c74fc1e27e9e06f59b44e92effddeeaa842bc19796f74adfaf55496988af3fbd39630d69c9011ef256badf9a7e6529bce76e9f477216e9ee7a46309973f798626b1cffc070d710920859634fe3c9c8f",
            "3df2a8b79fc8e80b36f0e2289",
            "ab855c1f28aaca51b98c67c215bd448ff26149edbe4c5ce666c1494e7691b06f6555abfeb8c9817af8be8831f237e45acd02c5e116353d03551fd8f9a2c68e45ca04c79f6f15b6ad2db3997fe39639be7a605a91330698a1c0093492b6246771c845007063771407e8e727891eb20109a91c2439d5ab8b4d15b40aeba4a45eff",
            "8e84c453155f3eb8211f7eae36b5c7dc32650f0635e1501b597ef7466fd03a0e261f22f249849c8f121e32d0be6110843eba566cc0df8e62820f0e5cabc01e7956b4b04f1406bab3b9a5b3e6b2062345f10f33b44263f6d0d0e0eafa285c3bd8c87c8cd1beae444fbd06f9ce7eac3338b1f0abec234e19a8e3a302516c38f756"
        ),
        (
            "1bc6c80e2bc8c614b27b8444d18e31704187ddaeb784b28054aead44b0537390e50fcf31ca8e752fdf1ece615db9a6442e9e7d6b377936d536243d35702c1eea1f265974a7cc966f46c6aa7d550101b8119bca3cb72ee0289dc6c91b9270ac06acdf70301704c9d78d82b335998604871926debfdb8825ae562179b37d806c10b5",
            "30e8bec948f6f915fe21b37ca",
            "e0cfab4ceaefc4d2d3bf6d016bae4b5b844a7034e77ffe48d0a6ec179556585ea997f351754a09cde5cfedfa5a9196f0bd6b881ae8f6e0bd0f977044218e0b7bd58dcdb46b4468068b5ab3ee4265bb31537409029620bf0dc38084a03d93fd4c804c25d64affdcd13678bc8d40783f0a072a98d23606defcdfb85c0dd37ee915",
            "7cc226526e30303a87345a9f015d653c373bf36f31dbb327e1450894b64514338b3c1d9c13a95deada7960ea14a03b1425b24ca8d1d079ea5d2f718016dc803a5641afe04c6d8b9964803d6ac1e0a740f6eeb5e1645af6608b75805ac0708dff4687bb79ae79a1c9e629f174681f64018588f279950a4f3725018b31472faf3f"
        ),
    ]

    @Test(arguments: results)
    func powers(base: String, exponent: String, modulus: String, power: String) throws {
        let modulus = try #require(LargeNumber(hexadecimal: modulus))
        let base = try #require(LargeNumber(hexadecimal: base))
        let exponent = try #require(LargeNumber(hexadecimal: exponent))
        #expect(ModularPowers(modulus).power(base, exponent, modulus: modulus) == LargeNumber(hexadecimal: power))
    }

    @Test func theSameAsSquaringAndMultiplyingInTheLargeGroup() {
        let scheme = SecureRemotePassword<SHA512>.homeKit
        let base = scheme.modulus - 12_345
        var power = base
        for _ in 0..<16 { power = power * power % scheme.modulus }
        #expect(scheme.power(base, 65_537) == power * base % scheme.modulus)
    }
}
