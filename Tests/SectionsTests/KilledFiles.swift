import Foundation
import Testing

@testable import Sections

/// Names and what is behind each, in memory. It ends at the k-th call as a kill would, and refuses what takes room where there is none.
final class KilledFiles: SwapFiles {
    struct Killed: Error {}
    struct Full: Error {}

    private(set) var contents: [String: String]
    private(set) var calls = 0
    private var plans: [String: SwapPlan]
    private var folders: Set<String>
    /// Databases with a log beside them.
    private var logs: Set<String>
    private var end = Int.max
    private var isFull = false

    init(_ contents: [String: String], logs: Set<String> = [], plan: SwapPlan, in folder: String) {
        self.contents = contents
        self.logs = logs
        plans = [folder: plan]
        folders = Set(contents.keys.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path })
    }

    func begin(endingAt end: Int, isFull: Bool = false) { (calls, self.end, self.isFull) = (0, end, isFull) }

    /// Somebody else makes a file.
    func put(_ content: String, at path: String) { contents[path] = content }

    private func call(takingRoom takesRoom: Bool = false) throws {
        calls += 1
        if calls == end { throw Killed() }
        if isFull, takesRoom { throw Full() }
    }

    func exists(_ url: URL) throws -> Bool {
        try call()
        return contents[url.path] != nil
    }

    func move(_ url: URL, to target: URL) throws {
        try call()
        #expect(contents[target.path] == nil, "a rename that would replace \(target.path)")
        #expect(!logs.contains(url.path), "a database that leaves its log behind")
        contents[target.path] = contents.removeValue(forKey: url.path)
    }

    func mark(_ url: URL) throws {
        try call(takingRoom: contents[url.path] == nil)
        contents[url.path] = "marker"
    }

    func unmark(_ url: URL) throws {
        try call()
        contents[url.path] = nil
    }

    func makeFolder(_ url: URL) throws {
        try call(takingRoom: !folders.contains(url.path))
        folders.insert(url.path)
    }

    func sync(_ folder: URL) throws { try call() }

    func fold(_ database: URL) throws {
        try call(takingRoom: logs.contains(database.path))
        logs.remove(database.path)
    }

    func plan(in folder: URL) throws -> SwapPlan? { plans[folder.path] }

    func write(_ plan: SwapPlan, to folder: URL) throws {
        try call(takingRoom: true)
        plans[folder.path] = plan
    }

    func below(_ folder: String) -> [String: String] {
        contents.filter { $0.key.hasPrefix(folder + "/") && $0.value != "marker" }
    }
}
