import NIOSSL

/// A certificate that signs itself, made for these tests alone and valid until 2126.
struct TestCertificate: Sendable {
    let certificate: String
    let key: String

    var der: [UInt8] {
        get throws { try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem).toDERBytes() }
    }

    func serverConfiguration() throws -> TLSConfiguration {
        TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)))
    }

    static let device = TestCertificate(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIBfTCCASOgAwIBAgIUUbVHBJYkhlkVDUXgbce6Qwa/LygwCgYIKoZIzj0EAwIw
            EzERMA8GA1UEAwwIQSBkZXZpY2UwIBcNMjYxMTIzMjAxMTAyWhgPMjEyNjEwMzAy
            MDExMDJaMBMxETAPBgNVBAMMCEEgZGV2aWNlMFkwEwYHKoZIzj0CAQYIKoZIzj0D
            AQcDQgAEWO9N1fNtIthdbJA+6yyssaaC98AfcPEARPmc3+BdKjNc0ziTU7XVz3k0
            ariQoluNlWZyz59sDzhvMEipSlqzDaNTMFEwHQYDVR0OBBYEFHeFuFYCFtGLN9es
            lCnrklC68yN1MB8GA1UdIwQYMBaAFHeFuFYCFtGLN9eslCnrklC68yN1MA8GA1Ud
            EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAJ2dLAs8nImtjk1WVgmyR7sc
            1zcRGqQgCh8GVZB4C7hfAiA8RCGq2fum4y5IDkAjRPOSSlc+FZl9vgJFSpvQRVnz
            4w==
            -----END CERTIFICATE-----
            """,
        key: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgH1e+6YIKSXRdmzME
            kbN1EaxoS600PHAvBwKbYH9wGwChRANCAARY703V820i2F1skD7rLKyxpoL3wB9w
            8QBE+Zzf4F0qM1zTOJNTtdXPeTRquJCiW42VZnLPn2wPOG8wSKlKWrMN
            -----END PRIVATE KEY-----
            """)

    static let otherDevice = TestCertificate(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIBiTCCAS+gAwIBAgIUSGIj3HikqzuqKCS0+t8KyoorkW0wCgYIKoZIzj0EAwIw
            GTEXMBUGA1UEAwwOQW5vdGhlciBkZXZpY2UwIBcNMjYxMTIzMjAxMTAyWhgPMjEy
            NjEwMzAyMDExMDJaMBkxFzAVBgNVBAMMDkFub3RoZXIgZGV2aWNlMFkwEwYHKoZI
            zj0CAQYIKoZIzj0DAQcDQgAEx0L4IiwaJ1P9lg2EoSS2D23RfV34fiuZxxgiqRnG
            eNBQ7JWyIEKZ8xxwyy93oYPxlEf0Yyh6xSXDHv2s4ZsTc6NTMFEwHQYDVR0OBBYE
            FPD8eIYs3HLvbZjgXKZJpbuHt6s7MB8GA1UdIwQYMBaAFPD8eIYs3HLvbZjgXKZJ
            pbuHt6s7MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgD1XNbaUc
            HNX6LN8GP0pp5LCFTVzZH+2NLS7vRHbxRCQCIQCFmND96Ri5BKx/B+zYhllEcBws
            V5w5e913CM47E5vcww==
            -----END CERTIFICATE-----
            """,
        key: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRbfoZi0y6dc5DeNA
            7ZInOCgOTD1z/bL+3D7n5NvWSzuhRANCAATHQvgiLBonU/2WDYShJLYPbdF9Xfh+
            K5nHGCKpGcZ40FDslbIgQpnzHHDLL3ehg/GUR/RjKHrFJcMe/azhmxNz
            -----END PRIVATE KEY-----
            """)
}
