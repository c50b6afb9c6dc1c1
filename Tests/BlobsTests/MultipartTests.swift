import Testing

@testable import Blobs

@Suite("Forms")
struct MultipartTests {
    private static let form =
        "preamble\r\n--xYz\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\nchat_image\r\n"
        + "--xYz  \r\ncontent-disposition: form-data; name=file; filename=\"a.jpg\"\r\nContent-Type: text/html\r\n\r\n"
        + "\r\n--xY\r\n--\r\n\r\n--xYz\r\n\r\n\r\n--xYz--\r\nepilogue --xYz"

    private func read(_ bytes: [UInt8], by size: Int) throws -> (events: [MultipartReader.Event], isAtEnd: Bool) {
        var reader = try #require(MultipartReader(contentType: "multipart/form-data; charset=utf-8; boundary=xYz"))
        var events: [MultipartReader.Event] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            for event in try reader.take(Array(bytes[start..<min(start + size, bytes.count)])) {
                if case .bytes(let more) = event, case .bytes(let before)? = events.last {
                    events[events.count - 1] = .bytes(before + more)
                } else {
                    events.append(event)
                }
            }
        }
        return (events, reader.isAtEnd)
    }

    @Test("a form is the same however it is cut", arguments: [1, 2, 3, 5, 7, 11, 64, 10_000])
    func cuts(size: Int) throws {
        let (events, isAtEnd) = try read(Array(Self.form.utf8), by: size)
        #expect(isAtEnd)
        #expect(
            events.map(Flat.init) == [
                .begin("type", false), .bytes("chat_image"), .end, .begin("file", true), .bytes("\r\n--xY\r\n--\r\n"),
                .end,
                .begin(nil, false), .end,
            ]
        )
    }

    @Test("a file that looks like boundaries nearly everywhere comes as it is")
    func adversarial() throws {
        let file = String(repeating: "\r\n--xY\r\n\r\r\n--x\r\n-", count: 5000)
        let text = "--xYz\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\"\r\n\r\n\(file)\r\n--xYz--"
        let (events, isAtEnd) = try read(Array(text.utf8), by: 4096)
        #expect(isAtEnd)
        #expect(events.map(Flat.init) == [.begin("f", true), .bytes(file), .end])
    }

    @Test(
        "what is no form is refused",
        arguments: [
            "--xYzJUNK\r\n", "--xYz" + String(repeating: " ", count: 9000),
            "--xYz\r\n" + String(repeating: "a", count: 9000), String(repeating: "no boundary ", count: 1000),
            String(repeating: "--xYz\r\n\r\n\r\n", count: 40),
        ]
    )
    func refused(text: String) {
        #expect(throws: BlobError.self) { try read(Array(text.utf8), by: 1000) }
    }

    @Test("a limit is the same however a form is cut", arguments: [-4, -3, -2, -1, 0, 1, 2, 3, 4])
    func limits(beyond: Int) throws {
        let filler = String(repeating: "a", count: (8 << 10) + beyond)
        let spaces = String(repeating: " ", count: (8 << 10) + beyond)
        for text in [
            "\(filler)\r\n--xYz--", "--xYz\(spaces)\r\n\r\n\r\n--xYz--", "--xYz\r\n\(filler)\r\n\r\n\r\n--xYz--",
        ] {
            let bytes = Array(text.utf8)
            let taken = [1, 2, 3, 100, bytes.count].map { size in (try? read(bytes, by: size))?.isAtEnd }
            #expect(Set(taken).count == 1)
        }
    }

    @Test("a form that is cut is not at its end")
    func cut() throws {
        let bytes = Array(Self.form.utf8)
        let end = bytes.count - "--\r\nepilogue --xYz".utf8.count
        #expect(try read(Array(bytes[..<end]), by: 10).isAtEnd == false)
        #expect(try read([], by: 10).isAtEnd == false)
    }

    @Test(
        "only a form with a boundary is read as one",
        arguments: [
            "", "multipart/form-data", "multipart/form-data; boundary=", "multipart/mixed; boundary=a",
            "text/plain; boundary=a", "multipart/form-data; boundary=\"\"", "multipart/form-data; boundary=ü",
            "multipart/form-data; boundary=" + String(repeating: "a", count: 71),
        ]
    )
    func contentTypes(text: String) {
        #expect(MultipartReader(contentType: text) == nil)
        #expect(MultipartReader(contentType: "Multipart/Form-Data;boundary=\"a b\"") != nil)
    }

    /// An event with its bytes as a text.
    private enum Flat: Hashable {
        case begin(String?, Bool)
        case bytes(String)
        case end

        init(_ event: MultipartReader.Event) {
            switch event {
            case .begin(let name, let isFile): self = .begin(name, isFile)
            case .bytes(let bytes): self = .bytes(String(decoding: bytes, as: UTF8.self))
            case .end: self = .end
            }
        }
    }
}
