import DesktopNotifications

extension FuzzTarget {
    /// A notification's body: what is left is plain, bounded, and the same text once it is escaped.
    static let notificationMarkup = FuzzTarget(name: "notification-markup") { bytes in
        let text = MarkupText.plain(String(decoding: bytes, as: UTF8.self))
        guard text.utf8.count <= BusNotification.bodyLimit else { finding("a body that is too long") }
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\t" || !(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
        }
        guard isPlain else { finding("a control character in a body") }
        // Twice as long where all of it is escaped, so only what fits is compared.
        if text.utf8.count <= BusNotification.bodyLimit / 5 {
            guard MarkupText.plain(MarkupText.escaped(text)) == text else { finding("escaping changes a text") }
        }
        let title = BoundedText.line(text, limit: 64)
        guard title.utf8.count <= 64, !title.contains(where: \.isNewline) else { finding("a title of several lines") }
    }

    /// A notification's picture: its bytes are exactly its rows, or there is none.
    static let notificationPicture = FuzzTarget(name: "notification-picture") { bytes in
        guard bytes.count >= 20 else { return }
        let numbers = (0..<5).map { index in
            bytes[index * 4..<index * 4 + 4].reduce(Int32(0)) { $0 << 8 | Int32($1) }
        }
        let pixels = bytes[20...].withUnsafeBytes { data in
            BusPixels(
                width: Int(numbers[0]),
                height: Int(numbers[1]),
                rowStride: Int(numbers[2]),
                hasAlpha: numbers[4] == 4,
                bitsPerSample: Int(numbers[3]),
                channels: Int(numbers[4]),
                data: data
            )
        }
        guard let pixels else { return }
        guard pixels.bytes.count == pixels.width * pixels.height * pixels.channels,
            pixels.bytes.count <= BusPixels.byteLimit
        else { finding("a picture whose bytes are not its rows") }
    }
}
