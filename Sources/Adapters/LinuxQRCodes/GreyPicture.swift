/// 8-bit grey pixels, row by row without padding.
struct GreyPicture: Hashable, Sendable {
    let width: Int
    let height: Int
    let pixels: [UInt8]

    /// Light and dark exchanged: zbar does not see codes drawn light on dark.
    var inverted: GreyPicture {
        GreyPicture(width: width, height: height, pixels: pixels.map { 255 - $0 })
    }

    /// Each pixel as a square of `factor` × `factor`: zbar needs two pixels a module.
    func enlarged(by factor: Int) -> GreyPicture {
        var larger: [UInt8] = []
        larger.reserveCapacity(pixels.count * factor * factor)
        for row in 0..<height {
            var line: [UInt8] = []
            line.reserveCapacity(width * factor)
            for pixel in pixels[(row * width)..<((row + 1) * width)] {
                line.append(contentsOf: repeatElement(pixel, count: factor))
            }
            for _ in 0..<factor { larger += line }
        }
        return GreyPicture(width: width * factor, height: height * factor, pixels: larger)
    }
}
