import Kernel
import Testing

@Suite("Members of one JSON object as a list")
struct JSONMemberListTests {
    private static let keys = JSONMemberList.Keys(["id", "content", "isDeleted"])

    private func read(_ text: String) throws -> JSONMemberList {
        try JSONMemberList(parsing: Array(text.utf8), expecting: Self.keys)
    }

    @Test(
        "are what the value of the same text has, whatever is expected and in whichever order",
        arguments: [
            "{}", " { } ", #"{"content":"a","id":"b"}"#, #"{"id":"b" , "content" : "a\nb"}"#,
            #"{"isDeleted":true,"other":[1,{"a":null}],"id":1.0,"content":-2.5}"#, #"{"i\u0064":1,"é":"ü","":2}"#,
        ]
    )
    func same(text: String) throws {
        let members = try read(text)
        let value = try JSONValue(parsing: text.utf8)
        #expect(Dictionary(uniqueKeysWithValues: members.list.map { ($0.key, $0.value) }) == value.objectValue)
        for key in ["id", "content", "isDeleted", "other", "é", "", "none"] { #expect(members[key] == value[key]) }
    }

    @Test(
        "what the parser refuses is refused here, and everything but an object",
        arguments: [
            "", "{", "[]", "1", "null", #"{"id":1}x"#, #"{"id":1,}"#, #"{"id" 1}"#, #"{id:1}"#, #"{"id":1,"id":2}"#,
            #"{"other":1,"id":2,"other":3}"#, #"{"é":1,"e\u0301":2}"#, #"{"i\u0064":1,"id":2}"#, #"{"id":01}"#,
            #"{"id":1e999}"#, #"{"id":{"a":1,"a":2}}"#, #"{"id":"\u12"}"#, #"{"id":"\ud800"}"#,
        ]
    )
    func refused(text: String) {
        #expect(throws: (any Error).self) { try read(text) }
    }

    @Test("bytes that are no UTF-8 and containers that lie too deep are refused")
    func bounds() {
        let wrong = Array(#"{"id":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
        #expect(throws: (any Error).self) { try JSONMemberList(parsing: wrong, expecting: Self.keys) }
        let deep = #"{"id":"# + String(repeating: "[", count: 128) + String(repeating: "]", count: 128) + "}"
        #expect(throws: (any Error).self) { try read(deep) }
    }
}
