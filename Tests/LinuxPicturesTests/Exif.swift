/// EXIF as a camera writes it into a JPEG.
enum Exif {
    /// - Parameter orientation: 1 to 8, as EXIF numbers them; 6: what is left belongs above.
    static func adding(orientation: UInt8, description: String, to jpeg: [UInt8]) -> [UInt8] {
        let text = Array(description.utf8) + [0]
        let header: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]
        // Two entries: the description as text behind the directory, the orientation as a number.
        let directory: [UInt8] =
            [2, 0] + [0x0E, 0x01, 2, 0, UInt8(text.count), 0, 0, 0, 38, 0, 0, 0]
            + [0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0] + [0, 0, 0, 0]
        let body = Array("Exif".utf8) + [0, 0] + header + directory + text
        let length = body.count + 2
        let segment: [UInt8] = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + body
        return Array(jpeg.prefix(2)) + segment + jpeg.dropFirst(2)
    }
}
