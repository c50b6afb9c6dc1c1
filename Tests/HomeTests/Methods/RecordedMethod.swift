import Foundation
import Kernel
import Testing

/// What a method was asked and answered once: a line of `Fixtures/methods`, where each feature has a file of its own. The lines of a file are one
/// conversation, so that a line may speak of what an earlier one began.
struct RecordedMethod: Sendable {
    let method: String
    /// Nil where the request has none.
    let params: JSONValue?
    /// `result`, or `error` with a code and a part of its sentence.
    let answer: JSONValue

    private init(line: JSONValue) throws {
        method = try #require(line["method"]?.stringValue)
        params = line["params"]
        answer = line
        #expect((line["result"] == nil) != (line["error"] == nil), "\(method)")
    }

    /// All of them, file by file.
    static func all() throws -> [RecordedMethod] {
        try FixtureLines.files(in: "methods").flatMap { try FixtureLines.read($0) }
            .map { try RecordedMethod(line: JSONValue(parsing: $0)) }
    }
}

/// The files of recorded lines.
enum FixtureLines {
    static func files(in folder: String) throws -> [URL] {
        let subdirectory = "Fixtures/\(folder)"
        let files = try #require(Bundle.module.urls(forResourcesWithExtension: "jsonl", subdirectory: subdirectory))
        return files.map { $0 as URL }.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    static func read(_ file: URL) throws -> [[UInt8]] {
        try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { Array($0) }
    }
}
