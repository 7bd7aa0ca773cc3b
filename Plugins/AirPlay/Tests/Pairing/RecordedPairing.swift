/// One pairing and one verification, made by other people's code with fixed keys.
///
/// The controller is pyatv 0.18.0 (`pyatv.auth.hap_srp`, November 2026) with the exponent and signing key 00 01 … 1F, the
/// key for the agreement 40 41 … 5F, the identifier ``controller`` and the code ``code``; the receiver is srptools 1.0.1 with
/// the signing key 20 21 … 3F and the key for the agreement 60 61 … 7F.
enum RecordedPairing {
    static let code = "3939"
    static let controller = "3A4F2C1E-0000-4000-8000-00000000CAFE"
    static let receiver = Array("AA:BB:CC:DD:EE:FF".utf8)

    /// The salt in message 2.
    static let salt = bytes("beb25379d1a8581eb5a727673a2441ee")

    /// The server's key in message 2.
    static let serverKey = bytes(
        """
        7fdcefb678642a4c363a4e7ee7ed73722696d0ecb9db13f99da705b5522355305fa28ac2f6dcfb8f9700cc0ee44a624082ec
        c9b66e5044bea57e62f8d15bc564a172b81dc4fbe01895ee33d45020ddc6228ccf793b25033a3afea9dbf7a9316364baf1cd
        7ff24fc13670ec284eb4cb3e65e403bed4a5bd9dc1b928808833be9cdb365971ac195539db1ea329011968389b72cba31bee
        88e439d411a79a1fb148477ebb79a25283b2a3b1fd84be99f3a7512cdc1ed719dbc2212a7c51ec4e1316c6e6c01299cd9026
        62af249aa98650657d9f6ecac3b7ba9f5527ba8f655672e4694bdd885a6993cacb062fd2f08954aa226fd84c50298929cfa8
        ee95ba879e5675fd06d5eb641f1253195e1acf3af52445f31f613bd4ac930707286051b44f0833b71b43710d1a46fc190e9f
        e55f4584ffde44ae763411c0223e12f51f49b3c7377a7e4aa7da8479cc3569ebb385d64bffc1c1e6d9b7108915eba1d783ee
        6bdf1dc475f48e11942ff386cfb5e9bbf10a45337dd2564287318cbdfb0f755a77e9
        """)

    /// The client's key in message 3.
    static let clientKey = bytes(
        """
        203e5bc55133e8d2917aac4b7d78b82c725d9085efc46dd33c449ebfb09816bee2ae6e218c9873a99a1e01bd0e7ca47edca0
        5889319bfebb30bdea7701cba20c6419a59b7c6ee0f80c59fcb9ec9e43da57885775e6d343288c7bdca766361e511c8d7f1a
        c4c521c2fbdd22e145fb83fcf0722949ab5520de4963661c5d27658a010cb50514a6d8ff10a8448117545c4a9cd12002b1bf
        0f81775f0426ad609d2eaaee21736fc6d766a9e8977a4b467c1a67a4de79e6c185b555028633cd028b3917fc6f0d8e07871b
        2d531ea6e4f9f5bbed5cf6aaee6f1f429126c6bac9644df264bf61fcf5a8c5a42c99d42f1bf87c89488649991be2bcdce6c1
        d87a6a463a7998150a20b33e7fbbcaa366e8a77c5529421dadf8132ef97e09d30eadae3149b8f15025354b7c6148fbd754c9
        ca6caead032f4e322fc93049805f5ea415bf535deab62f603340cc2d9bd99874c9bdf2c6a07d1963bfb79ee527fc252db636
        96b00ec434bdc69e9158ba02ac9dbe0ff85e5263c57f178dd4d529eaa23940ed2e47
        """)

    /// The proof in message 3.
    static let proof = bytes(
        """
        ae2d61ed70bba5e6a072496160e7ae4d9d95a97738c387c0522d4bc9fda9a7c8768061788576415a38acb4c1f912ae256589
        2463958f41754a4c4e46037ed3e9
        """)

    /// The server's proof in message 4.
    static let serverProof = bytes(
        """
        a96bc112e87555b9c86c4930d5236486bbeafb248442604ce7a55366af18b62d04f31bd53f1a5a3df7629e411379ed1c61aa
        3eed465760bac34e01445841aae2
        """)

    /// The session key that both sides derive.
    static let key = bytes(
        """
        cdf2345feeb74ea32b1060af28334db6e418c2e85344ea8daa6791dff8307d96b353e7a68eb8905261248fc23ca8bebb2961
        41f9db9d33d7b8c7255d23f3f358
        """)

    /// The encrypted part of message 5.
    static let encrypted5 = bytes(
        """
        cdea8982eb06583cc287c1034d97ff1f5bdd63e93cb7b0948b9af33d1c8333affd9d42efa90ecc1504db52e532430f468cac
        358cbf2056d592ac829b41cf3134271674975f2c380bdb1d1a8b182e225a502353e40ce681d52e0f2c57116614e95103e277
        ebcd2caf7f0f08b45ab1c5013dd5a340e40687e431e6a7a5d6859aec7615af11794837b032adb8a7989fccc3ab79dc280167
        7e86374c
        """)

    /// The encrypted part of message 6.
    static let encrypted6 = bytes(
        """
        be820564d6f48ab9daaaecef9c01149ba70dd85cff9aa7d872c3647d739577f194face558f7b2020d415b7e2a087a0afe567
        2a3c00d88676c5abc3123943e174d8bee4900727a58ffc5bdd7569235927b6ac802a5df2641ddda4448bada3ec94c531622b
        67cac049afc390fd272612811fcab974cc640085c68512881bb88258efb9a500c29ad7
        """)

    /// The receiver's for its signatures.
    static let receiverKey = bytes("29acbae141bccaf0b22e1a94d34d0bc7361e526d0bfe12c89794bc9322966dd7")

    /// The key in message 1 of the verification.
    static let agreementKey = bytes("79a631eede1bf9c98f12032cdeadd0e7a079398fc786b88cc846ec89af85a51a")

    /// The receiver's key in message 2 of the verification.
    static let receiverAgreementKey = bytes("675dd574ed7789310b3d2e7681f3790b466c773b1521fecf36577958371ea52f")

    /// The encrypted part of message 2 of the verification.
    static let verification2 = bytes(
        """
        edf837fe47b2d5087761063d42fccb04372863c0a1b3043a3df8036c68e9c2eb0df731b8a1259bd548b4a475678b838b343c
        f9d25e746c4e47c856f32ed3a3e6175fad823f2eb4a6a4dc633833873af2e0dedbed8505ddde245a1dc3c9faf3dae0876d3b
        41
        """)

    /// The encrypted part of message 3 of the verification.
    static let verification3 = bytes(
        """
        003aa177b7122f52aae83c7f6a2d200ce47bebade2dff28b1e8011c6c1c619c4b2e08ac9eb180d95f1cbb2cc6cebe8f338ca
        820b44c39773b270cdf48c81e3673d4cf11395a16547ec2004b8459dc882f95dc1d4987ae64d5a39d3f396848f67c0fb5c5d
        fe2afd66438f3168a400fe127ea9a135b52155f5
        """)

    /// The key for data from the controller.
    static let sending = bytes("2cc5895b116f068112382b06cae7cbe8c7313b085a86023f9658ea883d39f718")

    /// The key for data to the controller.
    static let receiving = bytes("69951376f7adf1ee6045010d155cfb373eaf7c316cce116d2a06a0e9f6afe148")

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
