/// A tar archive in the form of ustar, of entries whose type may be any.
struct RawTar {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ name: String, _ body: String = "", type: String = "0", link: String = "") {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at place: Int) {
            for (index, byte) in text.utf8.enumerated() { header[place + index] = byte }
        }
        put(name, at: 0)
        put("0000644", at: 100)
        put(Self.octal(body.utf8.count, digits: 11), at: 124)
        put("00000000000", at: 136)
        put("        ", at: 148)
        put(type, at: 156)
        put(link, at: 157)
        put("ustar\u{0}00", at: 257)
        put(Self.octal(header.reduce(0) { $0 + Int($1) }, digits: 6) + "\u{0} ", at: 148)
        bytes += header + Array(body.utf8)
        bytes += [UInt8](repeating: 0, count: (512 - body.utf8.count % 512) % 512)
    }

    /// With the blocks of zeros that end an archive.
    var ended: [UInt8] { bytes + [UInt8](repeating: 0, count: 1024) }

    private static func octal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: digits - text.count) + text
    }
}
