/// A QR code of bytes (ISO/IEC 18004), versions 1 to 10 with error correction M: enough for an address.
package struct QRCode: Sendable, Hashable {
    /// Modules on a side, without the quiet zone of four modules that belongs around it.
    package private(set) var size: Int
    /// Rows, one after the other; true is dark.
    private var modules: [Bool]
    /// Modules that are not data: masks leave them alone.
    private var isFunction: [Bool]

    /// - Returns: `nil` for more than 213 bytes.
    package init?(_ text: String) {
        guard let (version, codewords) = QRCodewords.make(Array(text.utf8)) else { return nil }
        let size = 17 + 4 * version
        self.size = size
        modules = Array(repeating: false, count: size * size)
        isFunction = modules
        drawFunctions(version)
        draw(codewords)
        let masked = (0..<8).map { self.masked($0) }
        if let best = masked.min(by: { $0.penalty < $1.penalty }) { self = best }
    }

    /// Returns whether a module is dark; what is outside is light.
    package subscript(x: Int, y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
    }

    // MARK: Functions

    private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
        guard (0..<size).contains(x), (0..<size).contains(y) else { return }
        modules[y * size + x] = isDark
        isFunction[y * size + x] = true
    }

    private mutating func drawFunctions(_ version: Int) {
        for index in 0..<size {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(x, y) }
        let places = Self.alignment(version)
        for x in places {
            for y in places where !isFinder(x, y, places.last ?? 0) { drawAlignment(x, y) }
        }
        // Keeps the places free; each mask has its own.
        drawFormat(0)
        drawVersion(version)
    }

    private mutating func drawFinder(_ x: Int, _ y: Int) {
        for dy in -4...4 {
            for dx in -4...4 {
                let distance = max(abs(dx), abs(dy))
                set(x + dx, y + dy, distance != 2 && distance != 4)
            }
        }
    }

    private mutating func drawAlignment(_ x: Int, _ y: Int) {
        for dy in -2...2 {
            for dx in -2...2 { set(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) }
        }
    }

    private func isFinder(_ x: Int, _ y: Int, _ last: Int) -> Bool {
        (x == 6 && y == 6) || (x == 6 && y == last) || (x == last && y == 6)
    }

    private static func alignment(_ version: Int) -> [Int] {
        switch version {
        case 1: []
        case 2...6: [6, 10 + 4 * version]
        default: [6, 8 + 2 * version, 10 + 4 * version]
        }
    }

    /// Fifteen bits: the level, the mask and their checksum, twice.
    private mutating func drawFormat(_ mask: Int) {
        // Level M is 00.
        let data = mask
        var rest = data
        for _ in 0..<10 { rest = (rest << 1) ^ ((rest >> 9) * 0x537) }
        let bits = (data << 10 | rest) ^ 0x5412
        let bit = { (index: Int) in bits >> index & 1 != 0 }
        for index in 0...5 { set(8, index, bit(index)) }
        set(8, 7, bit(6))
        set(8, 8, bit(7))
        set(7, 8, bit(8))
        for index in 9..<15 { set(14 - index, 8, bit(index)) }
        for index in 0..<8 { set(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { set(8, size - 15 + index, bit(index)) }
        set(8, size - 8, true)
    }

    private mutating func drawVersion(_ version: Int) {
        guard version >= 7 else { return }
        var rest = version
        for _ in 0..<12 { rest = (rest << 1) ^ ((rest >> 11) * 0x1f25) }
        let bits = version << 12 | rest
        for index in 0..<18 {
            let (far, near) = (size - 11 + index % 3, index / 3)
            set(far, near, bits >> index & 1 != 0)
            set(near, far, bits >> index & 1 != 0)
        }
    }

    // MARK: Data

    /// In columns of two from the right, up and down by turns.
    private mutating func draw(_ codewords: [UInt8]) {
        var index = 0
        for right in [Int](stride(from: size - 1, through: 1, by: -2)).map({ $0 <= 6 ? $0 - 1 : $0 }) {
            let goesUp = (right + 1) & 2 == 0
            for step in 0..<size {
                let y = goesUp ? size - 1 - step : step
                for x in [right, right - 1] where !isFunction[y * size + x] && index < codewords.count * 8 {
                    modules[y * size + x] = codewords[index / 8] >> (7 - index % 8) & 1 != 0
                    index += 1
                }
            }
        }
    }

    private func masked(_ mask: Int) -> QRCode {
        var code = self
        for y in 0..<size {
            for x in 0..<size where !isFunction[y * size + x] && Self.isInverted(mask, x, y) {
                code.modules[y * size + x].toggle()
            }
        }
        code.drawFormat(mask)
        return code
    }

    private static func isInverted(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    /// How hard a camera finds it: runs and squares of one colour, what looks like a corner, and too much of a colour.
    private var penalty: Int {
        let lines = (0..<size).flatMap { place in
            [(0..<size).map { self[$0, place] }, (0..<size).map { self[place, $0] }]
        }
        var penalty = lines.reduce(0) { $0 + Self.penalty($1) }
        for y in 0..<size - 1 {
            for x in 0..<size - 1 {
                let colour = self[x, y]
                if self[x + 1, y] == colour, self[x, y + 1] == colour, self[x + 1, y + 1] == colour { penalty += 3 }
            }
        }
        let dark = modules.count { $0 }
        return penalty + abs(dark * 20 - modules.count * 10) / modules.count * 10
    }

    private static let corner = [true, false, true, true, true, false, true, false, false, false, false]

    private static func penalty(_ line: [Bool]) -> Int {
        var penalty = 0
        var run = 0
        for (index, module) in line.enumerated() {
            run = index > 0 && line[index - 1] == module ? run + 1 : 1
            if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
        }
        for start in 0...(line.count - corner.count) {
            let part = line[start..<start + corner.count]
            if part.elementsEqual(corner) || part.elementsEqual(corner.reversed()) { penalty += 40 }
        }
        return penalty
    }
}
