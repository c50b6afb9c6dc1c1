import Agents
import Kernel
import Testing

@Suite("Lines of agents")
struct LineSplitterTests {
    @Test("lines are the same however the bytes are cut", arguments: 1...12)
    func cuts(step: Int) throws {
        let text = Array("one\n\nthree äöü\r\nfour".utf8)
        var splitter = LineSplitter(limit: 100)
        var lines: [[UInt8]] = []
        for start in stride(from: 0, to: text.count, by: step) {
            lines += try splitter.add(Array(text[start..<min(text.count, start + step)]))
        }
        #expect(lines == [Array("one".utf8), [], Array("three äöü\r".utf8)])
        #expect(splitter.finish() == Array("four".utf8))
        #expect(splitter.finish().isEmpty)
    }

    @Test("a line at the limit is taken, a longer one is not, whole or half")
    func limit() throws {
        var splitter = LineSplitter(limit: 4)
        #expect(try splitter.add(Array("abcd\nef".utf8)) == [Array("abcd".utf8)])
        #expect(throws: LineSplitter.TooLong.self) { try splitter.add(Array("ghi".utf8)) }
        var second = LineSplitter(limit: 4)
        #expect(throws: LineSplitter.TooLong.self) { try second.add(Array("abcde\n".utf8)) }
    }

    @Test(
        "what is no message is none",
        arguments: [
            "", "[]", "5", "{", "{\"id\":1}", "{\"id\":1.5,\"method\":\"a\"}", "{\"id\":[],\"result\":1}",
            "{\"method\":1}",
        ]
    )
    func noMessage(line: String) {
        #expect(RPCMessage(Array(line.utf8)) == nil)
    }

    @Test("ids stay what they are")
    func ids() {
        #expect(RPCMessage(Array(#"{"id":"7","result":null}"#.utf8)) == .result(id: "7", .null))
        #expect(RPCMessage(Array(#"{"id":7,"result":{}}"#.utf8)) == .result(id: 7, [:]))
        #expect(
            RPCMessage(Array(#"{"jsonrpc":"2.0","id":0,"method":"m","params":[1]}"#.utf8))
                == .request(id: 0, method: "m", parameters: [1])
        )
        #expect(RPCMessage(Array(#"{"method":"m"}"#.utf8)) == .notification(method: "m", parameters: [:]))
    }
}
