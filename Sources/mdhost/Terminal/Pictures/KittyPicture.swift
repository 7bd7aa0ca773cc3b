import Foundation
import HostInterface

/// A picture in the Kitty graphics protocol: pixels in Base64, in pieces.
enum KittyPicture {
    private static let piece = 4096

    /// Returns the control sequences that show a picture at the cursor, which stays where it is.
    ///
    /// - Parameter identifier: Replaces the picture with the same identifier.
    static func text(_ picture: PixelPicture, identifier: Int, columns: Int, rows: Int) -> String {
        let data = Array(Data(picture.bytes).base64EncodedString().utf8)
        var keys =
            "a=T,q=2,f=24,C=1,i=\(identifier),s=\(picture.width),v=\(picture.height),c=\(columns),r=\(rows),"
        var text = ""
        for start in stride(from: 0, to: data.count, by: piece) {
            let end = min(data.count, start + piece)
            text +=
                "\u{1B}_G\(keys)m=\(end < data.count ? 1 : 0);\(String(decoding: data[start..<end], as: UTF8.self))\u{1B}\\"
            keys = ""
        }
        return text
    }

    /// Returns the control sequence that removes a picture, and frees the terminal's memory for it.
    static func removal(of identifier: Int) -> String { "\u{1B}_Ga=d,d=I,q=2,i=\(identifier)\u{1B}\\" }
}
