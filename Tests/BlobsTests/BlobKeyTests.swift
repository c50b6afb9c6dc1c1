import Foundation
import Testing

@testable import Blobs

@Suite("Keys and kinds")
struct BlobKeyTests {
    @Test("M2: a minted key has a day, 26 letters and digits, and no underscore")
    func minted() throws {
        let date = Date(timeIntervalSince1970: 1_774_000_000)
        let keys = (0..<1000).map { _ in BlobKey.make(in: "chat/image", at: date, fileExtension: "jpg") }
        #expect(Set(keys).count == 1000)
        for key in keys {
            #expect(key.description.wholeMatch(of: /chat\/image\/2026\/03\/20\/[a-z2-7]{26}\.jpg/) != nil)
            #expect(!key.description.contains("_"))
            #expect(BlobKey(key.description) == key)
            #expect(key.isIn("chat/image") && !key.isIn("chat") && key.day == "chat/image/2026/03/20")
        }
    }

    @Test(
        "the day is that of UTC",
        arguments: [
            (0, "1970/01/01"), (-1, "1969/12/31"), (951_782_400, "2000/02/29"), (951_868_799, "2000/02/29"),
            (951_868_800, "2000/03/01"), (1_709_164_800, "2024/02/29"), (1_798_761_599, "2026/12/31"),
            (4_107_542_400, "2100/03/01"), (4_107_542_399, "2100/02/28"),
        ] as [(TimeInterval, String)]
    )
    func days(seconds: TimeInterval, day: String) {
        let key = BlobKey.make(in: "a", at: Date(timeIntervalSince1970: seconds), fileExtension: "b")
        #expect(key.day == "a/" + day)
    }

    static let name = String(repeating: "a", count: 26) + ".jpg"

    @Test(
        "nothing else is a key",
        arguments: [
            "", "/", "chat/image/2026/03/20", "2026/03/20/\(name)", "/2026/03/20/\(name)", "chat//2026/03/20/\(name)",
            "../2026/03/20/\(name)", "chat/../2026/03/20/\(name)", "chat/image/2026/03/..",
            "chat/image/2026/3/20/\(name)",
            "chat/image/2026/03/20/\(name)/", "chat/image/2026/03/20/a\(name)", "chat_image/2026/03/20/\(name)",
            "Chat/2026/03/20/\(name)", "chat/2026/03/20/\(name)\0", "chat/２０２６/03/20/\(name)",
            "chat/2026/03/20/.\(name)",
            "chat/2026/03/20/\(name).jpg", "chat/2026/03/20/\(String(repeating: "a", count: 26)).",
            "chat/2026/03/20/\(String(repeating: "A", count: 26)).jpg", "a/b/c/d/e/2026/03/20/\(name)",
            String(repeating: "a", count: 190) + "/2026/03/20/\(name)", "chat\\2026/03/20/\(name)",
        ]
    )
    func hostile(text: String) {
        #expect(BlobKey(text) == nil)
    }

    @Test(
        "a kind has a name, a folder without underscores and a limit",
        arguments: [
            ("", "a", 1), ("a", "", 1), ("a", "a_b", 1), ("a", "../a", 1), ("a", "a/", 1), ("a", "A", 1), ("a", "a", 0),
            ("a b", "a", 1),
        ] as [(String, String, Int64)]
    )
    func kinds(name: String, folder: String, limit: Int64) {
        #expect(throws: BlobError.malformedKind(name)) {
            try BlobKind(name, folder: folder, byteLimit: limit, content: .opaque)
        }
    }

    @Test("no two kinds of a store share a name or a folder")
    func sharedFolder() throws {
        let scene = try BlobScene()
        let one = try BlobKind("a", folder: "a", byteLimit: 1, content: .opaque)
        let other = try BlobKind("b", folder: "a", byteLimit: 1, content: .opaque)
        #expect(throws: BlobError.malformedKind("a")) {
            try BlobStore(try scene.disk(), database: scene.database, kinds: [one, other])
        }
    }
}
