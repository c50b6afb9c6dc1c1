/// A picture as text: each character shows two pixels, one above the other, by the colours of its text and of its background.
struct HalfBlocks: Hashable {
    /// The colours that a terminal shows.
    enum Palette: Hashable {
        /// 24 bits.
        case direct
        /// The 6 × 6 × 6 cube of xterm's 256 colours.
        case cube

        /// Nil where no picture can be shown: in a pipe, and where the person or the terminal wants no colours.
        static func of(_ console: any Console = Running.console) -> Palette? {
            guard Style(console).isOn else { return nil }
            let environment = console.environment
            let terminal = environment["TERM"] ?? ""
            if ["truecolor", "24bit"].contains(environment["COLORTERM"]) || terminal.hasSuffix("-direct") {
                return .direct
            }
            return terminal.hasSuffix("-256color") ? .cube : nil
        }

        fileprivate func code(_ colour: ArraySlice<UInt8>, isBackground: Bool) -> String {
            let kind = isBackground ? "48" : "38"
            switch self {
            case .direct: return "\(kind);2;" + colour.map(String.init).joined(separator: ";")
            case .cube:
                let levels = colour.map { (Int($0) * 5 + 127) / 255 }
                return "\(kind);5;\(16 + levels.reduce(0) { $0 * 6 + $1 })"
            }
        }
    }

    let width: Int
    let height: Int
    /// Red, green and blue for each pixel, row by row.
    private let pixels: [UInt8]

    /// Nil where the bytes are not as many as the edges say, or there are none.
    init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0, pixels.count == width * height * 3 else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Rows of `width` columns, half as many as the picture is high. Each ends with the terminal's own colours.
    func rows(_ palette: Palette) -> [String] {
        stride(from: 0, to: height, by: 2).map { y in
            var row = ""
            var last = ""
            for x in 0..<width {
                let above = palette.code(pixel(x, y), isBackground: false)
                // The last row of an odd number has nothing below it.
                let below = y + 1 < height ? palette.code(pixel(x, y + 1), isBackground: true) : "49"
                let code = "\u{1B}[\(above);\(below)m"
                if code != last { row += code }
                last = code
                row += "▀"
            }
            return row + "\u{1B}[0m"
        }
    }

    private func pixel(_ x: Int, _ y: Int) -> ArraySlice<UInt8> {
        let place = (y * width + x) * 3
        return pixels[place..<(place + 3)]
    }
}
