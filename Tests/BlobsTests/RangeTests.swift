import Testing

@testable import Blobs

@Suite("Ranges of bodies")
struct RangeTests {
    @Test(
        "a browser's range is cut to the file, whatever numbers it has",
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=2-4", 2..<5), ("bytes=2-", 2..<10), ("bytes=-3", 7..<10),
            ("bytes=-99", 0..<10), ("bytes=9-9223372036854775807", 9..<10), ("bytes=0-9223372036854775807", 0..<10),
            ("bytes=-9223372036854775807", 0..<10), ("bytes=0-9223372036854775808", 0..<10),
            ("bytes=10-", nil), ("bytes=-0", nil), ("bytes=9223372036854775807-9223372036854775807", nil),
        ] as [(String, Range<Int64>?)]
    )
    func browserRanges(text: String, range: Range<Int64>?) throws {
        let field = try #require(ByteRangeField(text))
        #expect(field.range(of: 10) == range)
        #expect(field.range(of: 0) == nil)
    }
}
