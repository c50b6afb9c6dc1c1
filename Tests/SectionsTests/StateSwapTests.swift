import Foundation
import Synchronization
import Testing

@testable import Sections

/// Names and what is behind each, in memory; ends at the k-th call as a kill would.
private final class KilledFiles: SwapFiles {
    struct Killed: Error {}

    private(set) var contents: [String: String]
    private var plans: [String: SwapPlan]
    private(set) var calls = 0
    var end = Int.max

    init(_ contents: [String: String], plan: SwapPlan, in folder: String) {
        self.contents = contents
        plans = [folder: plan]
    }

    private func call() throws {
        calls += 1
        if calls == end { throw Killed() }
    }

    func begin(endingAt end: Int) { (calls, self.end) = (0, end) }

    func exists(_ url: URL) throws -> Bool {
        try call()
        return contents[url.path] != nil
    }

    func move(_ url: URL, to target: URL) throws {
        try call()
        #expect(contents[target.path] == nil, "a rename that would replace \(target.path)")
        contents[target.path] = contents.removeValue(forKey: url.path)
    }

    func mark(_ url: URL) throws {
        try call()
        contents[url.path] = "marker"
    }

    func unmark(_ url: URL) throws {
        try call()
        contents[url.path] = nil
    }

    func makeFolder(_ url: URL) throws { try call() }
    func sync(_ folder: URL) throws { try call() }
    func fold(_ database: URL) throws { try call() }
    func plan(in folder: URL) throws -> SwapPlan? { plans[folder.path] }

    func write(_ plan: SwapPlan, to folder: URL) throws {
        try call()
        plans[folder.path] = plan
    }

    func below(_ folder: String) -> [String: String] {
        contents.filter { $0.key.hasPrefix(folder + "/") && $0.value != "marker" }
    }
}

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
            plan: plan,
            in: "/b"
        )
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
        let files = files()
        try swap(files, from: "/b", to: "/a").perform()
        return files.calls
    }

    @Test("killed at every call, and again at every call of the next start, it ends with the new state whole")
    func killedTwice() throws {
        let length = try Self.length()
        #expect(length > 20)
        for first in 1...length {
            for second in 1...length {
                let files = Self.files()
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
    }

    @Test(
        "undone after a swap that was killed at any call, and killed at any call itself, it ends with the old state whole"
    )
    func undone() throws {
        let length = try Self.length()
        for first in 1...(length + 1) {
            for second in 1...(length + 1) {
                let files = Self.files()
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
