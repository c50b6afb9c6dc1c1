import Foundation
import KernelTesting
import Testing

@testable import Sections

@Suite("A staged state that takes its place", .timeLimit(.minutes(4)))
struct StateSwapTests {
    private static let plan = SwapPlan(names: ["tandem.sqlite", "keys/identity", "features/chat", "features/journal"])

    /// A phone with a database, keys and chat; the staged state has a journal besides, which is new here.
    private static func files() -> KilledFiles {
        KilledFiles(
            [
                "/s/tandem.sqlite": "old rows", "/s/keys/identity": "old key", "/s/features/chat": "old chat",
                "/s/lock": "lock", "/b/tandem.sqlite": "new rows", "/b/keys/identity": "new key",
                "/b/features/chat": "new chat", "/b/features/journal": "new journal",
            ],
            logs: ["/s/tandem.sqlite"],
            plan: plan,
            in: "/b"
        )
    }

    /// The same, with the commit made: what comes after it is only the swap.
    private static func preparedFiles() throws -> KilledFiles {
        let files = files()
        try swap(files, from: "/b", to: "/a").prepare()
        return files
    }

    private static let old = [
        "/s/tandem.sqlite": "old rows", "/s/keys/identity": "old key", "/s/features/chat": "old chat",
        "/s/lock": "lock",
    ]
    private static let new = [
        "/s/tandem.sqlite": "new rows", "/s/keys/identity": "new key", "/s/features/chat": "new chat",
        "/s/features/journal": "new journal", "/s/lock": "lock",
    ]

    private static func swap(_ files: KilledFiles, from incoming: String, to outgoing: String) -> StateSwap {
        func folder(_ path: String) -> URL { URL(fileURLWithPath: path, isDirectory: true) }
        return StateSwap(state: folder("/s"), incoming: folder(incoming), outgoing: folder(outgoing), files: files)
    }

    /// The calls of one swap that nothing ends.
    private static func length() throws -> Int {
        let files = try preparedFiles()
        files.begin(endingAt: .max)
        try swap(files, from: "/b", to: "/a").perform()
        return files.calls
    }

    @Test("killed at every call before the commit, it leaves the state as it was, and is prepared again")
    func killedBefore() throws {
        let whole = try Self.preparedFiles()
        #expect(whole.calls > 10)
        for end in 1...whole.calls {
            let files = Self.files()
            files.begin(endingAt: end)
            #expect(throws: KilledFiles.Killed.self) { try Self.swap(files, from: "/b", to: "/a").prepare() }
            #expect(files.below("/s") == Self.old)
            #expect(files.below("/a").isEmpty)
            files.begin(endingAt: .max)
            try Self.swap(files, from: "/b", to: "/a").prepare()
            #expect(files.contents == whole.contents, "killed at \(end)")
        }
        KillPoints.tell(whole.calls)
    }

    @Test("a disk that is full before the commit leaves the state as it was; one that is full after it hurts nothing")
    func full() throws {
        let early = Self.files()
        early.begin(endingAt: .max, isFull: true)
        #expect(throws: KilledFiles.Full.self) { try Self.swap(early, from: "/b", to: "/a").prepare() }
        #expect(early.below("/s") == Self.old)

        for end in 1...(try Self.length()) {
            let files = try Self.preparedFiles()
            files.begin(endingAt: end, isFull: true)
            #expect(throws: KilledFiles.Killed.self) { try Self.swap(files, from: "/b", to: "/a").perform() }
            files.begin(endingAt: .max, isFull: true)
            try Self.swap(files, from: "/b", to: "/a").perform()
            #expect(files.below("/s") == Self.new, "killed at \(end)")
            // Undoing is a commit of its own, for which there is room again when it is prepared.
            files.begin(endingAt: .max)
            try Self.swap(files, from: "/a", to: "/b").prepare()
            files.begin(endingAt: .max, isFull: true)
            try Self.swap(files, from: "/a", to: "/b").perform()
            #expect(files.below("/s") == Self.old, "killed at \(end), undone")
        }
    }

    @Test("what was prepared for a commit that never came does not hinder the next")
    func preparedTwice() throws {
        let files = try Self.preparedFiles()
        #expect(files.below("/s") == Self.old)
        try Self.swap(files, from: "/b", to: "/a").prepare()
        try Self.swap(files, from: "/b", to: "/a").perform()
        #expect(files.below("/s") == Self.new)
        #expect(throws: SectionError.inTheWay(name: "tandem.sqlite")) {
            let next = KilledFiles(files.contents, plan: Self.plan, in: "/b")
            try Self.swap(next, from: "/b", to: "/a").prepare()
        }
    }

    @Test("a name that came to be after the preparation goes out, and undoing brings it back")
    func lateName() throws {
        let files = KilledFiles(
            ["/s/lock": "lock", "/b/config.json": "new"],
            plan: SwapPlan(names: ["config.json"]),
            in: "/b"
        )
        try Self.swap(files, from: "/b", to: "/a").prepare()
        files.put("old", at: "/s/config.json")
        try Self.swap(files, from: "/b", to: "/a").perform()
        #expect(files.below("/s")["/s/config.json"] == "new")
        for _ in 0..<2 { try Self.swap(files, from: "/a", to: "/b").perform() }
        #expect(files.below("/s")["/s/config.json"] == "old")
        #expect(files.below("/a").isEmpty)
    }

    @Test("killed at every call, and again at every call of the next start, it ends with the new state whole")
    func killedTwice() throws {
        let length = try Self.length()
        #expect(length > 20)
        for first in 1...length {
            for second in 1...length {
                let files = try Self.preparedFiles()
                for end in [first, second] {
                    files.begin(endingAt: end)
                    _ = try? Self.swap(files, from: "/b", to: "/a").perform()
                }
                files.begin(endingAt: .max)
                try Self.swap(files, from: "/b", to: "/a").perform()
                #expect(files.below("/s") == Self.new, "killed at \(first), then at \(second)")
                #expect(files.below("/b").isEmpty)
                #expect(Set(files.below("/a").values) == ["old rows", "old key", "old chat"])
            }
        }
        KillPoints.tell(length * length)
    }

    @Test(
        "undone after a swap that was killed at any call, and killed at any call itself, it ends with the old state whole"
    )
    func undone() throws {
        let length = try Self.length()
        for first in 1...(length + 1) {
            for second in 1...(length + 1) {
                let files = try Self.preparedFiles()
                files.begin(endingAt: first)
                _ = try? Self.swap(files, from: "/b", to: "/a").perform()
                files.begin(endingAt: second)
                _ = try? Self.swap(files, from: "/a", to: "/b").perform()
                files.begin(endingAt: .max)
                try Self.swap(files, from: "/a", to: "/b").perform()
                #expect(files.below("/s") == Self.old, "killed at \(first), undone, killed at \(second)")
                #expect(files.below("/a").isEmpty)
                #expect(Set(files.below("/b").values) == ["new rows", "new key", "new chat", "new journal"])
            }
        }
    }

    @Test("a swap that is done has nothing left to do, and touches nothing")
    func again() throws {
        let files = Self.files()
        #expect(try Self.swap(files, from: "/b", to: "/a").perform())
        let after = files.contents
        #expect(try !Self.swap(files, from: "/b", to: "/a").perform())
        #expect(files.contents == after)
    }

    @Test("two copies where one may be are told, and neither is overwritten")
    func inTheWay() throws {
        let files = KilledFiles(
            ["/s/keys/identity": "a", "/a/keys/identity": "b", "/b/keys/identity": "c"],
            plan: SwapPlan(names: ["keys/identity"]),
            in: "/b"
        )
        #expect(throws: SectionError.inTheWay(name: "keys/identity")) {
            try Self.swap(files, from: "/b", to: "/a").perform()
        }
        #expect(Set(files.contents.values) == ["a", "b", "c"])
    }
}
