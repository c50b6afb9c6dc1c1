import ArgumentParser
import BenchmarkReport
import Foundation
import Journal
import Kernel

/// A journal of 50,000 stories: import, lists, searches, exports, and how a move to a new phone reads and builds it, beside plain tables of SQLite with
/// the same rows on the same disk.
@main
struct JournalBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal-benchmark",
        abstract: "Measures a phone's journal."
    )

    @Option(help: "Stories of the journal.")
    var stories = 50_000

    @Option(help: "Measurements of each kind, of which the median is printed.")
    var rounds = 3

    @Option(help: "Folder for the databases and files; about 1 GB.")
    var folder = FileManager.default.temporaryDirectory.path

    func run() async throws {
        let home = URL(filePath: folder).appending(path: "journal-benchmark-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }  // what is left of a benchmark does no harm
        let source = home.appending(path: "source")
        try GeneratedStories(count: stories).write(to: source)
        var times: [String: Sample] = [:]
        for round in 0..<rounds {
            let place = home.appending(path: "\(round)")
            try await measure(source, in: place) { times[$0, default: Sample()].values.append($1) }
            try FileManager.default.removeItem(at: place)
            print("round \(round + 1) of \(rounds)")
        }
        print("\(stories) stories; seconds, the median of \(rounds)\n")
        print(Row.table(Self.rows(times, of: stories), peer: "plain SQLite"))
    }

    private func measure(_ source: URL, in place: URL, note: (String, Double) -> Void) async throws {
        func measured(_ name: String, _ work: () async throws -> Void) async throws {
            note(name, try await seconds(work))
        }
        let journal = try MeasuredJournal(place.appending(path: "journal"))
        try await measured("import") { _ = try await journal.bring(source) }
        try await measured("again") { _ = try await journal.bring(source) }
        try await measured("list") { _ = try await journal.list() }
        try await measured("rare") { _ = try await journal.search("number\(stories / 2)") }
        try await measured("frequent") { _ = try await journal.search("lake hill") }
        try await measured("plain export") { _ = try await journal.export(to: place.appending(path: "out")) }
        let snapshot = try JournalSnapshot(journal.repository)
        var (models, records) = ([Story](), [(RecordKind, JSONValue)]())
        for kind in RecordKind.allCases { try snapshot.forEach(kind) { records.append((kind, $0)) } }
        for (kind, record) in records where kind == .stories { models.append(try Story(record: record)) }
        try await measured("read") {
            var bytes = 0
            for kind in RecordKind.allCases {
                try snapshot.readText(kind, after: nil) { _, text in
                    bytes += text.count
                    return true
                }
            }
        }
        let generation = place.appending(path: "built")
        try FileManager.default.createDirectory(
            at: generation.appending(path: "Media"),
            withIntermediateDirectories: true
        )
        try await measured("build") {
            let builder = try JournalBuilder(generation: generation)
            for (kind, record) in records { try builder.add(kind, record) }
            _ = try builder.finish(media: try MeasuredJournal.vault(generation))
        }
        let built = try MeasuredJournal(generation)
        try await measured("words") { try await built.repository.indexWords() }
        try await built.repository.close()
        try await journal.repository.close()
        let plain = try PlainStories(place.appending(path: "plain.sqlite"))
        try await measured("plain insert") { try plain.insert(models) }
        try await measured("plain words") { try plain.index() }
        try await measured("plain read") { _ = try plain.read() }
        try await measured("plain rare") { _ = try plain.search("number\(stories / 2)") }
        try await measured("plain frequent") { _ = try plain.search("lake hill") }
        try plain.close()
    }

    /// Goals are those of 50,000 stories; another number of stories has its part of them.
    private static func rows(_ times: [String: Sample], of stories: Int) -> [Row] {
        func time(_ name: String) -> Double { times[name]?.median ?? .nan }
        func row(_ title: String, _ ours: Double, _ peer: Double?, goal: Double? = nil) -> Row {
            let bound = goal.map { $0 * Double(stories) / 50_000 }
            return Row(
                title,
                ours: ours.fixed(3),
                peer: peer.map { $0.fixed(3) } ?? "",
                ratio: peer.map { "\((ours / $0).fixed(1))x" } ?? "",
                goal: bound.map { "≤ \($0.fixed(2))" } ?? "",
                isMet: bound.map { ours <= $0 }
            )
        }
        return [
            row("build of a package's records, with checks", time("build"), time("plain insert"), goal: 0.8),
            row("… the words, when the journal is opened", time("words"), time("plain words")),
            row("records as a package has them", time("read"), time("plain read"), goal: 0.5),
            row("import from Day One, with its words", time("import"), time("plain insert") + time("plain words")),
            row("… a second time", time("again"), nil),
            row("the newest page", time("list"), nil),
            row("search, a rare word", time("rare"), time("plain rare")),
            row("search, two words of all", time("frequent"), time("plain frequent")),
            row("plain export, a file for each story", time("plain export"), nil),
        ]
    }
}
