import Testing

@testable import Archives

@Suite("A hostile archive")
struct ArchiveInspectorTests {
    @Test(
        "class hostile zip: names that leave the folder, or are not names everywhere, are refused",
        arguments: [
            "", "../a", "/a", "a/../../b", "a\\b", "a\0b", "C:a", "a//b", "./a", "a/..", "a/../", "/\u{301}a",
            String(repeating: "x", count: 256), String(repeating: "x/", count: 600) + "x",
        ]
    )
    func names(name: String) {
        #expect(throws: ArchiveError.self) { try ArchiveName(name) }
    }

    @Test(
        "class hostile zip: names that collide are refused",
        arguments: [
            ["a", "a"], ["a", "A"], ["caf\u{E9}", "cafe\u{301}"], ["a", "a/b"], ["a/b", "a"], ["a/", "a/"],
            ["A/b", "a"],
        ]
    )
    func collisions(names: [String]) throws {
        var inspector = ArchiveInspector(limits: .records)
        try inspector.begin(try ArchiveName(names[0]), declared: 0)
        #expect(throws: ArchiveError.self) { try inspector.begin(try ArchiveName(names[1]), declared: 0) }
    }

    @Test("A folder may be named after what lies in it, and names with emoji are names")
    func folders() throws {
        var inspector = ArchiveInspector(limits: .records)
        try inspector.begin(try ArchiveName("a/b"), declared: 0)
        try inspector.begin(try ArchiveName("a/"), declared: 0)
        try inspector.begin(try ArchiveName("a/🙂.jpg"), declared: 0)
    }

    @Test("class hostile zip: more or fewer bytes than declared are refused while they come")
    func declaredSizes() throws {
        var inspector = ArchiveInspector(limits: .records)
        try inspector.begin(try ArchiveName("a"), declared: 10)
        try inspector.count(10, packed: nil)
        #expect(throws: ArchiveError.sizeMismatch("a")) { try inspector.count(1, packed: nil) }
        try inspector.begin(try ArchiveName("b"), declared: 10)
        try inspector.count(9, packed: nil)
        #expect(throws: ArchiveError.sizeMismatch("b")) { try inspector.end() }
    }

    @Test("class hostile zip: a bomb is refused by its ratio, its total and its count")
    func bombs() throws {
        var inspector = ArchiveInspector(limits: ArchiveLimits(entries: 2, totalBytes: 8 << 20, ratio: 200))
        try inspector.begin(try ArchiveName("a"), declared: nil)
        #expect(throws: ArchiveError.suspiciousRatio("a")) { try inspector.count(2 << 20, packed: 2000) }
        try inspector.begin(try ArchiveName("b"), declared: nil)
        #expect(throws: ArchiveError.tooLarge(limit: 8 << 20)) { try inspector.count(9 << 20, packed: nil) }
        #expect(throws: ArchiveError.tooManyEntries(limit: 2)) {
            try inspector.begin(try ArchiveName("c"), declared: 0)
        }
    }

    @Test("class hostile zip: a declared size of 2^63 is refused")
    func hugeDeclaration() throws {
        var inspector = ArchiveInspector(limits: .records)
        #expect(throws: ArchiveError.tooLarge(limit: 512 << 20)) {
            try inspector.begin(try ArchiveName("a"), declared: 1 << 63)
        }
    }
}
