import HostInterface

/// The few colours that represent a picture's: by median cut (Heckbert 1982), from five bits of each component.
struct ColourTable {
    typealias Colour = SIMD3<Int32>

    private struct Box {
        /// A colour of five bits a component, and the number of its pixels.
        var colours: ArraySlice<(colour: Colour, count: Int32)>

        var pixels: Int32 { colours.reduce(0) { $0 + $1.count } }

        /// The component that differs most, and how far.
        var spread: (axis: Int, length: Int32) {
            let low = colours.reduce(Colour(repeating: 31)) { pointwiseMin($0, $1.colour) }
            let high = colours.reduce(Colour(repeating: 0)) { pointwiseMax($0, $1.colour) }
            let lengths = high &- low
            let axis = (0..<3).max { lengths[$0] < lengths[$1] } ?? 0
            return (axis, lengths[axis])
        }

        var mean: Colour {
            let sum = colours.reduce(Colour(repeating: 0)) { $0 &+ $1.colour &* $1.count }
            // From five bits to eight.
            return (sum &* 255) / (Colour(repeating: 31) &* max(1, pixels))
        }

        /// Two boxes of about half the pixels each.
        func halves() -> (Box, Box) {
            let axis = spread.axis
            let sorted = colours.sorted { $0.colour[axis] < $1.colour[axis] }
            let half = pixels / 2
            var (count, cut) = (Int32(0), 0)
            while cut < sorted.count - 1, cut == 0 || count + sorted[cut].count <= half {
                count += sorted[cut].count
                cut += 1
            }
            return (Box(colours: sorted[..<cut]), Box(colours: sorted[cut...]))
        }
    }

    /// 0…255 for each component; at most as many as asked for.
    let colours: [Colour]
    /// The nearest colours that were looked up already, by five bits a component; -1 for none.
    private var nearest = [Int16](repeating: -1, count: 1 << 15)

    init(_ picture: PixelPicture, most: Int) {
        var counts = [Int32](repeating: 0, count: 1 << 15)
        for pixel in stride(from: 0, to: picture.bytes.count, by: 3) {
            let parts = picture.bytes[pixel..<pixel + 3].map { Int($0 >> 3) }
            counts[parts[0] << 10 | parts[1] << 5 | parts[2]] += 1
        }
        let all = counts.indices.filter { counts[$0] > 0 }.map { index in
            (colour: Colour(Int32(index >> 10), Int32(index >> 5 & 31), Int32(index & 31)), count: counts[index])
        }
        var boxes = [Box(colours: all[...])]
        while boxes.count < most {
            let worst = boxes.indices.filter { boxes[$0].colours.count > 1 }.max {
                boxes[$0].spread.length * boxes[$0].pixels < boxes[$1].spread.length * boxes[$1].pixels
            }
            guard let worst else { break }
            let (low, high) = boxes[worst].halves()
            boxes[worst] = low
            boxes.append(high)
        }
        colours = boxes.map(\.mean)
    }

    /// Returns the index of the colour that is nearest to one of 0…255 in each component.
    mutating func index(of colour: Colour) -> Int {
        let key = Int(colour.x >> 3) << 10 | Int(colour.y >> 3) << 5 | Int(colour.z >> 3)
        if nearest[key] >= 0 { return Int(nearest[key]) }
        func distance(_ index: Int) -> Int32 {
            let difference = colours[index] &- colour
            return (difference &* difference).wrappedSum()
        }
        let index = colours.indices.min { distance($0) < distance($1) } ?? 0
        nearest[key] = Int16(index)
        return index
    }
}
