import Foundation
import Testing

@testable import Kernel

@Suite("Halves of UTF-16 pairs in JSON") struct HalfSurrogateTests {
    @Test(
        "what programs on this machine write has U+FFFD for half of a pair; everything else is refused or kept as ever",
        arguments: [
            (#"["a\ud83d"]"#, "a\u{FFFD}"), (#"["\ude00b"]"#, "\u{FFFD}b"), (#"["\ud83d\ude00"]"#, "😀"),
            (#"["\ud83d\ud83d\ude00"]"#, "\u{FFFD}😀"), (#"["\\ud83d\uDE00"]"#, "\\ud83d\u{FFFD}"),
            (#"["\ud83d\n"]"#, "\u{FFFD}\n"),
        ]
    )
    func foreign(text: String, meant: String) throws {
        #expect(try JSONValue(parsingForeign: Array(text.utf8)) == [.string(meant)])
        if meant.contains("\u{FFFD}") {
            #expect(throws: DecodingError.self) { try JSONValue(parsing: text.utf8) }
        }
    }

    @Test(
        "what is no JSON otherwise stays refused",
        arguments: [#"["\ud83"]"#, #"["\ud83d]"#, #"["\ud83d""#, #"["\q\ud83d"]"#]
    )
    func malformed(text: String) {
        #expect(throws: DecodingError.self) { try JSONValue(parsingForeign: Array(text.utf8)) }
    }

    @Test("two pieces that each hold a half are joined, over lines between them")
    func pieces() {
        var characters = SplitCharacters()
        func joined(_ line: String, isPiece: Bool = true) -> String {
            String(decoding: characters.joined(Array(line.utf8), isPiece: isPiece), as: UTF8.self)
        }
        #expect(joined(#"{"text":"two \ud83d"}"#) == #"{"text":"two "}"#)
        #expect(joined(#"{"other":"\ude00 of a line that is no piece"}"#, isPiece: false).contains(#"\ude00"#))
        #expect(joined(#"{"text":"\ude00 halves"}"#) == #"{"text":"\ud83d\ude00 halves"}"#)
        #expect(joined(#"{"text":"\ude00 alone"}"#) == #"{"text":"\ude00 alone"}"#)
        #expect(joined(#"{"text":"\ud83d inside"}"#) == #"{"text":"\ud83d inside"}"#)
    }
}
