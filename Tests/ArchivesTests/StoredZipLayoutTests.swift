import Testing

@testable import Archives

@Suite("The layout of a stored archive")
struct StoredZipLayoutTests {
    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc = CRC32()
        crc.update(bytes)
        return crc.value
    }

    /// The bytes of a layout's range, with bodies from `bodies`.
    private static func bytes(
        _ layout: StoredZipLayout,
        _ range: Range<UInt64>,
        _ bodies: [[UInt8]]
    ) throws -> [UInt8] {
        try layout.pieces(in: range).flatMap { piece -> [UInt8] in
            switch piece {
            case .bytes(let bytes): bytes
            case .body(let entry, let range): Array(bodies[entry][Int(range.lowerBound)..<Int(range.upperBound)])
            }
        }
    }

    @Test("The checksum is that of the format: 0xCBF43926 for the nine digits")
    func checksum() {
        #expect(Self.crc(Array("123456789".utf8)) == 0xCBF4_3926)
    }

    @Test("#25: any range has the bytes that the whole archive has there")
    func ranges() throws {
        let bodies = [Array("hello".utf8), [], Array("world!".utf8)]
        let names = ["a.txt", "media/empty", "media/🙂"]
        let layout = try StoredZipLayout(
            try zip(names, bodies).map {
                StoredEntry(name: try ArchiveName($0), size: UInt64($1.count), crc32: Self.crc($1))
            }
        )
        let whole = try Self.bytes(layout, 0..<layout.length, bodies)
        #expect(UInt64(whole.count) == layout.length)
        for start in 0..<layout.length {
            for count in [1, 7, 40] as [UInt64] where start + count <= layout.length {
                #expect(
                    try Self.bytes(layout, start..<start + count, bodies)
                        == Array(whole[Int(start)..<Int(start + count)])
                )
            }
        }
    }

    @Test("#27: 70,000 entries end in a directory of zip64, and a file of 5 GiB has its sizes there")
    func zip64() throws {
        let many = try StoredZipLayout(
            try (0..<70_000).map { StoredEntry(name: try ArchiveName("f\($0)"), size: 0, crc32: 0) }
        )
        let end = try Self.bytes(many, many.length - 98..<many.length, [])
        #expect(end.starts(with: [0x50, 0x4B, 6, 6]))
        let large = try StoredZipLayout([StoredEntry(name: try ArchiveName("v.mov"), size: 5 << 30, crc32: 1)])
        let header = try Self.bytes(large, 0..<55, [])
        #expect(Array(header[18..<22]) == [255, 255, 255, 255])
        #expect(Array(header[35..<39]) == [1, 0, 16, 0])
        #expect(Array(header[39..<47]) == [0, 0, 0, 64, 1, 0, 0, 0])
    }
}
