import Foundation
import Kernel
import KernelTesting
import Testing

@testable import AgentHistory

@Suite struct LineReaderTests {
    private func forwards(
        _ path: String,
        from offset: Int64 = 0,
        limits: LineLimits = LineLimits()
    ) throws -> (lines: [HistoryLine], position: Int64) {
        var reader = LineReader(try HistoryFile.open(path), from: offset, limits: limits)
        var lines: [HistoryLine] = []
        while case .line(let line) = try reader.next() { lines.append(line) }
        return (lines, reader.position)
    }

    private func backwards(_ path: String, limits: LineLimits = LineLimits()) throws -> [HistoryLine] {
        let file = try HistoryFile.open(path)
        var reader = ReverseLineReader(file, before: try #require(try file.end()), limits: limits)
        var lines: [HistoryLine] = []
        while case .line(let line) = try reader.next() { lines.append(line) }
        return lines.reversed()
    }

    @Test("whole lines come with their offsets, and a half line at the end stays unread")
    func halfLine() throws {
        let home = try HistoryHome()
        let path = try home.write("a.jsonl", Array("{\"a\":1}\r\n\n{\"b\":2}\n{\"half".utf8))
        let (lines, position) = try forwards(path)
        // The blank one is none.
        #expect(lines.map(\.offset) == [0, 10])
        #expect(lines.map(\.length) == [8, 7])
        #expect(position == 18)
        #expect(try backwards(path) == lines)
        // The rest of the line arrives.
        try home.write("a.jsonl", Array("{\"a\":1}\r\n\n{\"b\":2}\n{\"half\":3}\n".utf8))
        #expect(try forwards(path, from: position).lines.map(\.content) == [.whole(Array("{\"half\":3}".utf8))])
    }

    @Test("a file of nothing but half a line, and an empty one, have no lines", arguments: ["", "{\"half"])
    func nothing(text: String) throws {
        let home = try HistoryHome()
        let path = try home.write("a.jsonl", Array(text.utf8))
        let (lines, position) = try forwards(path)
        #expect(lines.isEmpty && position == 0)
        #expect(try backwards(path).isEmpty)
    }

    @Test("lines of any length come the same forwards, backwards and unpacked, whatever the size of the chunks")
    func chunks() throws {
        let home = try HistoryHome()
        var random = SeededGenerator(seed: 13)
        for round in 0..<25 {
            let lines = (0..<Int.random(in: 1...30, using: &random)).map { _ in
                [UInt8](repeating: .random(in: 32...126, using: &random), count: .random(in: 0...90, using: &random))
            }
            let tail = [UInt8](repeating: 33, count: .random(in: 0...90, using: &random))
            let bytes = lines.flatMap { $0 + [0x0A] } + tail
            let path = try home.write("\(round).jsonl", bytes)
            let packed = try home.write("p\(round).jsonl.zst", HistoryHome.packed(bytes))
            let limits = LineLimits(line: 40, head: 8, tail: 5, chunk: .random(in: 1...64, using: &random))
            var offset: Int64 = 0
            let expected = lines.map { line in
                defer { offset += Int64(line.count) + 1 }
                return HistoryLine(
                    offset: offset,
                    length: Int64(line.count),
                    content: line.count <= 40
                        ? .whole(line) : .tooLong(head: Array(line.prefix(8)), tail: Array(line.suffix(5)))
                )
            }.filter { $0.length > 0 }
            for file in [path, packed] {
                #expect(try forwards(file, limits: limits).lines == expected)
                #expect(try forwards(file, limits: limits).position == offset)
                #expect(try backwards(file, limits: limits) == expected)
            }
        }
    }

    @Test("a file of blank lines costs no more than its bytes: nothing of it is a line, in either direction")
    func blankLines() throws {
        let home = try HistoryHome()
        let blank = [UInt8](repeating: 0x0A, count: 300_000)
        let path = try home.write("a.jsonl", blank + Array("{}\n".utf8) + blank + Array("{\"a\":1}\n".utf8) + blank)
        let packed = try home.write("a2.jsonl.zst", HistoryHome.packed(Array(Data(contentsOf: URL(filePath: path)))))
        for limits in [LineLimits(), LineLimits(chunk: 7, firstChunk: 3)] {
            for file in [path, packed] {
                let (lines, position) = try forwards(file, limits: limits)
                #expect(lines.map(\.offset) == [300_000, 600_003])
                #expect(position == 900_011)
                #expect(try backwards(file, limits: limits) == lines)
            }
        }
        #expect(try backwards(home.write("b.jsonl", blank)).isEmpty)
        #expect(try forwards(home.write("b.jsonl", blank)).position == 300_000)
    }

    @Test("a small file that unpacks to far more than it could hold is too large to be read")
    func bomb() throws {
        let home = try HistoryHome()
        let frame = try HistoryHome.packed([UInt8](repeating: 0x0A, count: 8 << 20))
        let path = try home.write("a.jsonl.zst", Array(repeatElement(frame, count: 9).joined()))
        let limit = UnpackedBytes.smallLimit
        let file = try HistoryFile.open(path)
        #expect(throws: AgentHistoryError.tooLarge(path: path, limit: limit)) { try file.end() }
        #expect(file.bytesRead <= limit + 128 << 10)
        // What fits is read.
        let fitting = try home.write("b.jsonl.zst", Array(repeatElement(frame, count: 7).joined()))
        #expect(try HistoryFile.open(fitting).end() == 7 * 8 << 20)
        #expect(UnpackedBytes.limit(packedSize: 1 << 30) == UnpackedBytes.limit)
        #expect(UnpackedBytes.limit(packedSize: 5 << 20) == 500 << 20)
        #expect(UnpackedBytes.limit(packedSize: .max) == UnpackedBytes.limit)
    }

    @Test("a line of 8 MB is passed over without being held, and its length is told")
    func longLine() throws {
        let home = try HistoryHome()
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20)
        let path = try home.write("a.jsonl", Array("{}\n".utf8) + long + Array("\n{}\n".utf8))
        for lines in [try forwards(path).lines, try backwards(path)] {
            #expect(lines.map(\.length) == [2, 8 << 20, 2])
            guard case .tooLong(let head, let tail) = lines[1].content else {
                Issue.record("the line was held")
                return
            }
            #expect(head.count <= 64 << 10 && tail.count <= 64 << 10)
        }
    }

    @Test("a long line whose end is not written yet is read from its beginning once it is")
    func longHalfLine() throws {
        let home = try HistoryHome()
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 500)
        let limits = LineLimits(line: 100, head: 10, tail: 10, chunk: 64)
        let path = try home.write("a.jsonl", Array("{}\n".utf8) + long)
        let (lines, position) = try forwards(path, limits: limits)
        #expect(lines.map(\.length) == [2] && position == 3)
        try home.write("a.jsonl", Array("{}\n".utf8) + long + Array("y\n".utf8))
        let tail = Array(repeating: UInt8(ascii: "x"), count: 9) + [UInt8(ascii: "y")]
        #expect(
            try forwards(path, from: position, limits: limits).lines
                == [HistoryLine(offset: 3, length: 501, content: .tooLong(head: Array(long.prefix(10)), tail: tail))]
        )
    }

    @Test("the budget stops a reader inside of a line, and the next one goes on there")
    func budget() throws {
        let home = try HistoryHome()
        let path = try home.write("a.jsonl", [UInt8](repeating: 120, count: 5000) + Array("\n{}\n".utf8))
        let limits = LineLimits(line: 100, head: 10, tail: 10, chunk: 500, budget: 1000)
        let file = try HistoryFile.open(path)
        var reader = LineReader(file, from: 0, limits: limits)
        #expect(try reader.next() == .stopped)
        #expect(reader.isInsideLine && reader.position > 0)
        var rounds = 0
        var found: [HistoryLine] = []
        while found.isEmpty, rounds < 20 {
            reader = LineReader(file, from: reader.position, insideLine: reader.isInsideLine, limits: limits)
            while case .line(let line) = try reader.next() { found.append(line) }
            rounds += 1
        }
        #expect(found == [HistoryLine(offset: 5001, length: 2, content: .whole(Array("{}".utf8)))])
        var before = ReverseLineReader(file, before: 5001, limits: limits)
        #expect(try before.next() == .stopped)
        #expect(before.position < 5001)
    }

    @Test("a compressed file of several frames is one text")
    func frames() throws {
        let home = try HistoryHome()
        let first = try HistoryHome.packed(Array("{\"a\":1}\n{\"b\"".utf8))
        let path = try home.write("a.jsonl.zst", first + HistoryHome.packed(Array(":2}\n".utf8)))
        #expect(try forwards(path).lines.map(\.offset) == [0, 8])
    }

    @Test("of a compressed file that ends early the whole lines are read, and the damage is told")
    func cutFrame() throws {
        let home = try HistoryHome()
        var random = SeededGenerator(seed: 3)
        let text = (0..<60_000).flatMap { _ in Array("{\"n\":\(UInt64.random(in: 0...(.max), using: &random))}\n".utf8)
        }
        let packed = try HistoryHome.packed(text)
        let path = try home.write("a.jsonl.zst", Array(packed.prefix(packed.count / 2)))
        let file = try HistoryFile.open(path)
        var reader = LineReader(file, from: 0)
        var count = 0
        while case .line = try reader.next() { count += 1 }
        #expect(count > 1000)
        #expect(file.damage == "it ends in the middle")
    }

    @Test("what is no compressed file is refused")
    func notPacked() throws {
        let home = try HistoryHome()
        let path = try home.write("a.jsonl.zst", Array("{}\n{}\n".utf8))
        #expect(throws: AgentHistoryError.self) { try forwards(path) }
    }

    @Test("a frame that wants more than 128 MiB of memory is refused")
    func hugeWindow() throws {
        let home = try HistoryHome()
        // Magic, a descriptor without a size, a window of 2^31 bytes, one raw block of two bytes.
        let path = try home.write("a.jsonl.zst", [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xA8, 0x11, 0, 0, 0x7B, 0x7D])
        do {
            _ = try forwards(path)
            Issue.record("it was unpacked")
        } catch let AgentHistoryError.damaged(_, reason) {
            #expect(reason.contains("too much memory"))
        }
    }

    @Test("a file that was compressed or unpacked since it was seen is opened under its other name")
    func siblings() throws {
        let home = try HistoryHome()
        try home.write("a.jsonl.zst", packed: ["{}"])
        try home.write("b.jsonl", lines: ["{}"])
        #expect(try HistoryFile.open(home.path + "/a.jsonl").isCompressed)
        #expect(try !HistoryFile.open(home.path + "/b.jsonl.zst").isCompressed)
        #expect(throws: AgentHistoryError.notFound(path: home.path + "/c.jsonl")) {
            try HistoryFile.open(home.path + "/c.jsonl")
        }
    }

    @Test("folders, FIFOs, devices and links are refused without waiting for anything")
    func notOrdinary() throws {
        let home = try HistoryHome()
        try home.write("real.jsonl", lines: ["{}"])
        try home.link("link.jsonl", to: home.path + "/real.jsonl")
        #expect(mkfifo(home.path + "/fifo.jsonl", 0o600) == 0)
        try FileManager.default.createDirectory(atPath: home.path + "/folder.jsonl", withIntermediateDirectories: true)
        #expect(throws: AgentHistoryError.symbolicLink(path: home.path + "/link.jsonl")) {
            try HistoryFile.open(home.path + "/link.jsonl")
        }
        for path in [home.path + "/fifo.jsonl", home.path + "/folder.jsonl", "/dev/zero"] {
            #expect(throws: AgentHistoryError.notOrdinary(path: path)) { try HistoryFile.open(path) }
        }
    }

    @Test("the beginning of an object keeps its whole members and the text it was cut in")
    func truncatedJSON() throws {
        let whole = #"{"a":1,"b":{"c":[1,{"d":"x\ny"},2],"e":true},"f":"grüße 😀 \ud83d\ude00 \"end","g":null}"#
        let bytes = Array(whole.utf8)
        for length in 1...bytes.count - 1 {
            let found = TruncatedJSON.value(of: Array(bytes[..<length]))
            #expect(found != nil, "\(length) bytes")
            if length > 7 { #expect(found?.value["a"] == 1) }
            if length > 50 { #expect(found?.value["b"] == ["c": [1, ["d": "x\ny"], 2], "e": true]) }
            if let text = found?.value["f"]?.stringValue { #expect("grüße 😀 😀 \"end".hasPrefix(text)) }
        }
        let cut = try #require(
            TruncatedJSON.value(of: Array(#"{"type":"x","images":["data:image/png;base64,AAA"#.utf8))
        )
        #expect(cut.value["images"] == ["data:image/png;base64,AAA"])
        #expect(cut.cutText == "data:image/png;base64,AAA")

        // An escape of the text before lies within twelve bytes of the end.
        let other = try #require(TruncatedJSON.value(of: Array(#"{"a":"\n","b":"x"#.utf8)))
        #expect(other.value == ["a": "\n", "b": "x"])
        #expect(other.cutText == "x")
        let escaped = try #require(TruncatedJSON.value(of: Array(#"{"\u0061\u0061":"\u0061"#.utf8)))
        #expect(escaped.value == ["aa": ""])
    }

    @Test(
        "times of every form that agents write",
        arguments: [
            ("2026-01-02T03:04:05.678Z", 1_767_323_045_678), ("2026-01-02T03:04:05Z", 1_767_323_045_000),
            ("2026-01-02T03:04:05.6Z", 1_767_323_045_600), ("2026-01-02T03:04:05.678912345Z", 1_767_323_045_678),
            ("2026-01-02T05:04:05.678+02:00", 1_767_323_045_678), ("2024-02-29T00:00:00-00:30", 1_709_166_600_000),
            ("1969-12-31T23:59:59.000Z", -1000),
        ]
    )
    func times(text: String, milliseconds: Int64) {
        #expect(ISOTime.milliseconds(text) == milliseconds)
    }

    @Test(
        "texts that are no times have none",
        arguments: [
            "", "2026-01-02", "2026-13-02T03:04:05Z", "2026-01-02T03:04:05", "2026-01-02T03:04:05.Z",
            "not a time at all ....",
            "2026-01-02T03:04:05+99:99", "2026-01-02T03:04:05Z and more",
        ]
    )
    func notTimes(text: String) {
        #expect(ISOTime.milliseconds(text) == nil)
    }
}
