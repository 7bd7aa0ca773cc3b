extension NowPlayingSession {
    /// Its name on the session bus, as long as it has content: `org.mpris.MediaPlayer2.mdhost.Living_Room_route3`.
    package var playerName: String {
        let words = (kind == .route ? name : application).unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "_"
        }
        // An element must not begin with a digit, and a bus name ends at 255 bytes.
        let text = String(words.prefix(120))
        let first = text.first.map { $0.isNumber } ?? true
        return "org.mpris.MediaPlayer2.mdhost." + (first ? "_" : "") + text + "_" + id
    }
}
