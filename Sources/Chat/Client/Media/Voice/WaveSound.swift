/// PCM in WAV. Source: Microsoft's "Multimedia Programming Interface and Data Specifications 1.0", RIFF.
enum WaveSound {
    /// PCM, floating point, and either of them in the extensible form.
    private static let formats: Set<UInt64> = [1, 3, 0xFFFE]
    private static let rates: ClosedRange<UInt64> = 4000...384_000
    private static let channels: ClosedRange<UInt64> = 1...8

    /// Nil for what is no sound of a known form.
    static func duration(of bytes: [UInt8]) -> Duration? {
        var cursor = ByteCursor(bytes[...])
        guard cursor.text(4) == "RIFF", cursor.skip(4), cursor.text(4) == "WAVE" else { return nil }
        var byteRate: UInt64?
        while let name = cursor.text(4), let size = cursor.littleEndian(4) {
            switch name {
            case "fmt ":
                guard let content = cursor.take(Int(size)), let rate = self.byteRate(content) else { return nil }
                byteRate = rate
            case "data":
                guard let byteRate else { return nil }
                // A recorder that was killed, or that writes into a pipe, has not written the size.
                let count = min(size == 0 ? .max : size, UInt64(cursor.left))
                return .seconds(Double(count) / Double(byteRate))
            default: guard cursor.skip(Int(size)) else { return nil }
            }
            // Chunks begin at even places.
            if !size.isMultiple(of: 2), !cursor.skip(1) { return nil }
        }
        return nil
    }

    /// Bytes a second; nil for a form that is not known.
    private static func byteRate(_ content: ArraySlice<UInt8>) -> UInt64? {
        var cursor = ByteCursor(content)
        guard let format = cursor.littleEndian(2), formats.contains(format), let channels = cursor.littleEndian(2),
            Self.channels.contains(channels), let rate = cursor.littleEndian(4), rates.contains(rate),
            let byteRate = cursor.littleEndian(4), let block = cursor.littleEndian(2),
            let bits = cursor.littleEndian(2), bits > 0, bits <= 64,
            block == channels * ((bits + 7) / 8), byteRate == rate * block
        else { return nil }
        return byteRate
    }
}
