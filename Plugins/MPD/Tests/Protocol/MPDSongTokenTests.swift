import Foundation
import MPDProtocol
import Testing

struct MPDSongTokenTests {
    @Test func isReadAsItWasWritten() throws {
        for token in [MPDSongToken(song: 7, serverStart: 1_700_000_000.5), MPDSongToken(song: 1, serverStart: nil)] {
            #expect(MPDSongToken(try #require(token.data)) == token)
        }
        #expect(MPDSongToken(Data("7".utf8)) == nil && MPDSongToken(Data()) == nil)
    }

    @Test func aRestartedServerIsAnother() {
        let token = MPDSongToken(song: 7, serverStart: 1000)
        #expect(token.isOf(serverStart: 1001) && !token.isOf(serverStart: 1003))
        #expect(token.isOf(serverStart: nil) && MPDSongToken(song: 7, serverStart: nil).isOf(serverStart: 1))
    }
}
