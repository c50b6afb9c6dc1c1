#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A picture's colours in a few letters, drawn where the picture has not come yet. Source: the BlurHash algorithm,
/// https://github.com/woltapp/blurhash/blob/master/Algorithm.md.
package struct BlurHash: Hashable, Sendable {
    /// Cosines from left to right and from top to bottom.
    package static let components = (x: 4, y: 3)
    /// Letters of a hash: the components' counts, the largest amplitude, four of the average colour, two of each other component.
    package static let length = 6 + 2 * (components.x * components.y - 1)
    private static let letters = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8
    )
    /// The first letter, which tells the components' counts.
    private static let firstLetter = letters[components.x - 1 + (components.y - 1) * 9]

    /// A colour of linear light, 0 to 1 a channel.
    private struct Light {
        var red = 0.0
        var green = 0.0
        var blue = 0.0

        var largest: Double { max(abs(red), abs(green), abs(blue)) }
    }

    package let text: String

    /// - Returns: Nil for anything but a hash of ``components``.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.length, bytes.first == Self.firstLetter, bytes.allSatisfy(Self.letters.contains)
        else { return nil }
        self.text = text
    }

    /// - Parameter pixels: Red, green and blue of sRGB for each pixel, row by row without padding.
    /// - Returns: Nil where the bytes are not as many as the edges say, or there are none.
    package init?(width: Int, height: Int, pixels: UnsafeBufferPointer<UInt8>) {
        guard width > 0, height > 0, pixels.count == width * height * 3 else { return nil }
        let linear = (0..<256).map { Self.linear(Double($0) / 255) }
        var factors: [Light] = []
        for y in 0..<Self.components.y {
            for x in 0..<Self.components.x {
                let columns = Self.cosines(x, over: width)
                let rows = Self.cosines(y, over: height)
                var sum = Light()
                var place = 0
                for row in rows {
                    for column in columns {
                        let weight = row * column
                        sum.red += weight * linear[Int(pixels[place])]
                        sum.green += weight * linear[Int(pixels[place + 1])]
                        sum.blue += weight * linear[Int(pixels[place + 2])]
                        place += 3
                    }
                }
                let scale = (x == 0 && y == 0 ? 1.0 : 2.0) / Double(width * height)
                factors.append(Light(red: sum.red * scale, green: sum.green * scale, blue: sum.blue * scale))
            }
        }
        text = Self.text(of: factors)
    }

    private static func text(of factors: [Light]) -> String {
        var bytes = [firstLetter]
        let largest = factors.dropFirst().map(\.largest).max() ?? 0
        let amplitude = max(0, min(82, Int((largest * 166 - 0.5).rounded(.down))))
        append(amplitude, digits: 1, to: &bytes)
        let average = factors[0]
        append(sRGB(average.red) << 16 | sRGB(average.green) << 8 | sRGB(average.blue), digits: 4, to: &bytes)
        let scale = Double(amplitude + 1) / 166
        for factor in factors.dropFirst() {
            let levels = [factor.red, factor.green, factor.blue].map { level(of: $0 / scale) }
            append((levels[0] * 19 + levels[1]) * 19 + levels[2], digits: 2, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func cosines(_ component: Int, over length: Int) -> [Double] {
        (0..<length).map { cos(.pi * Double(component) * Double($0) / Double(length)) }
    }

    /// One of 19 levels for an amplitude of -1 to 1, finer near 0.
    private static func level(of amplitude: Double) -> Int {
        let root = amplitude < 0 ? -(-amplitude).squareRoot() : amplitude.squareRoot()
        return max(0, min(18, Int((root * 9 + 9.5).rounded(.down))))
    }

    private static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// 0 to 255.
    private static func sRGB(_ light: Double) -> Int {
        let value = max(0, min(1, light))
        return Int((value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055) * 255 + 0.5)
    }

    private static func append(_ number: Int, digits: Int, to bytes: inout [UInt8]) {
        var digit = [UInt8](repeating: letters[0], count: digits)
        var rest = number
        for place in digit.indices.reversed() {
            digit[place] = letters[rest % 83]
            rest /= 83
        }
        bytes += digit
    }
}
