import Synchronization
import Testing

@testable import AVFAudio

@Suite("AVAudioSession")
struct AVAudioSessionTests {
    private final class Claims: Sendable {
        let told = Mutex<[Bool]>([])
    }

    private func session() -> (AVAudioSession, Claims) {
        let claims = Claims()
        return (AVAudioSession { claim in claims.told.withLock { $0.append(claim) } }, claims)
    }

    @Test("an active session for playback claims the first place, once")
    func claims() throws {
        let (session, claims) = session()
        try session.setCategory(.playback, mode: .default)
        #expect(claims.told.withLock { $0 } == [])
        try session.setActive(true)
        try session.setActive(true)
        try session.setActive(false, options: .notifyOthersOnDeactivation)
        #expect(claims.told.withLock { $0 } == [true, false])
        #expect(session.category == .playback && session.mode == .default && session.routeSharingPolicy == .default)
    }

    @Test("sound that is mixed with others', recorded or heard elsewhere claims nothing")
    func mixed() throws {
        let (session, claims) = session()
        try session.setActive(false)
        try session.setCategory(.playback, options: .mixWithOthers)
        try session.setActive(true)
        try session.setCategory(.playback, options: .duckOthers)
        try session.setCategory(.ambient)
        try session.setCategory(.record)
        try session.setCategory(.playback, mode: .moviePlayback, policy: .independent)
        #expect(claims.told.withLock { $0 } == [])
        try session.setCategory(.playback, mode: .default, policy: .longFormAudio)
        #expect(claims.told.withLock { $0 } == [true] && session.routeSharingPolicy == .longFormAudio)
    }
}
