import Foundation
import GRDB
import Kernel
import Storage
import Testing

@testable import Sections

/// A store of an example, in two versions: the second has a column more, and counts its steps.
private enum Birds {
    static let first = Migration(
        "birds-1",
        sql: """
            CREATE TABLE bird (
                id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, weight REAL, picture BLOB
            ) STRICT;
            CREATE VIRTUAL TABLE bird_words USING fts5 (name, content = 'bird', content_rowid = 'id');
            CREATE TRIGGER bird_added AFTER INSERT ON bird BEGIN
                INSERT INTO bird_words (rowid, name) VALUES (new.id, new.name);
            END;
            CREATE TABLE push (token TEXT NOT NULL) STRICT;
            INSERT INTO bird (name) VALUES ('first of every phone');
            """
    )
    static let second = Migration("birds-2", sql: "ALTER TABLE bird ADD COLUMN song TEXT NOT NULL DEFAULT 'unheard'")

    static func section(_ migrations: [Migration]) -> SectionDeclaration {
        SectionDeclaration("birds", migrations: migrations, tables: ["bird"], folders: ["songs"]) { database in
            try database.execute(sql: "DELETE FROM bird WHERE name = 'of the device'")
        }
    }

    static func catalogue(_ migrations: [Migration], section name: SectionDeclaration? = nil) throws -> SectionCatalogue
    {
        try SectionCatalogue(
            [
                .init(.role, SectionDeclaration("identity", keys: ["identity"])),
                .init(.feature("birds", hasOwnDatabase: false), name ?? section(migrations)),
            ],
            schema: Schema("test", [migrations])
        )
    }
}

@Suite("Sections that move", .timeLimit(.minutes(4)))
struct SectionMoveTests {
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-sections-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // what is left is in a temporary folder
        try body(folder)
    }

    /// A phone with three birds, a song and a key.
    private func source(_ migrations: [Migration], in folder: URL) throws -> SectionExport.Source {
        let state = try StateFolder(folder.appending(path: "old"))
        let database = try StateDatabase.open(state.databaseURL, schema: Schema("test", [migrations]))
        try database.write { database in
            try database.execute(
                sql: """
                    DELETE FROM bird;
                    INSERT INTO bird (id, name, weight, picture) VALUES
                        (5, 'wren', 0.1, x'00ff0a'), (9, 'crane — “Grus”\nof two lines', NULL, NULL),
                        (11, 'of the device', 1, x'');
                    DELETE FROM sqlite_sequence; INSERT INTO sqlite_sequence VALUES ('bird', 40);
                    INSERT INTO push VALUES ('token of the old phone');
                    """
            )
        }
        try state.writeKey("identity", [1, 2, 3])
        let songs = try state.featureFolder("birds").appending(path: "songs/spring")
        try FileManager.default.createDirectory(at: songs, withIntermediateDirectories: true)
        try Data("tweet".utf8).write(to: songs.appending(path: "wren"))
        try Data().write(to: songs.appending(path: "silent"))
        return SectionExport.Source(database: database, own: [:], state: state) { try state.featureFolder($0) }
    }

    /// Moves every section as a package would, in pieces of `size` bytes.
    private func move(_ snapshots: [SectionSnapshot], to staged: StagedState, pieces size: Int = 7) throws {
        for snapshot in snapshots {
            let receiver = try staged.begin(snapshot.header)
            try snapshot.readRows { rows in
                for start in stride(from: 0, to: rows.count, by: size) {
                    try receiver.take(rows: Array(rows[start..<min(start + size, rows.count)]))
                }
            }
            for file in snapshot.files {
                let handle = try FileHandle(forWritingTo: receiver.place(forFile: file.path, size: file.size))
                try snapshot.readFile(file) { try handle.write(contentsOf: Data($0)) }
                try handle.close()
            }
            try receiver.finish()
        }
    }

    private func rows(_ url: URL, _ sql: String) throws -> [[DatabaseValue]] {
        let queue = try DatabaseQueue(path: url.path)
        defer { try? queue.close() }  // it only read
        return try queue.read { try Row.fetchAll($0, sql: sql).map { Array($0.databaseValues) } }
    }

    @Test("rows, numbers, words, files and keys are the same on the new phone, and what is of the device is not there")
    func whole() throws {
        try withFolder { folder in
            let catalogue = try Birds.catalogue([Birds.first])
            let source = try source([Birds.first], in: folder)
            let snapshots = try SectionExport(catalogue).freeze(source)
            let new = folder.appending(path: "new")
            let staged = try StagedState(new, catalogue: catalogue)
            try move(snapshots, to: staged)
            let plan = try staged.seal(keeping: nil)
            #expect(plan.names == ["standing.json", "tandem.sqlite", "keys/identity", "features/birds"])
            let database = new.appending(path: "tandem.sqlite")
            #expect(
                try rows(database, "SELECT id, name, weight, picture FROM bird ORDER BY id") == [
                    [5.databaseValue, "wren".databaseValue, 0.1.databaseValue, Data([0, 255, 10]).databaseValue],
                    [9.databaseValue, "crane — “Grus”\nof two lines".databaseValue, .null, .null],
                ]
            )
            #expect(try rows(database, "SELECT seq FROM sqlite_sequence") == [[40.databaseValue]])
            #expect(
                try rows(database, "SELECT rowid FROM bird_words WHERE bird_words MATCH 'grus'") == [[9.databaseValue]]
            )
            #expect(try rows(database, "SELECT * FROM push").isEmpty)
            #expect(try StandingKeeper(StateFolder(at: new)).value == .active)
            #expect(try Data(contentsOf: new.appending(path: "keys/identity")) == Data([1, 2, 3]))
            let songs = new.appending(path: "features/birds/songs/spring")
            #expect(try Data(contentsOf: songs.appending(path: "wren")) == Data("tweet".utf8))
            #expect(try Data(contentsOf: songs.appending(path: "silent")).isEmpty)
        }
    }

    @Test("a snapshot gives the same bytes twice, also when the phone changes in between")
    func frozen() throws {
        try withFolder { folder in
            let source = try source([Birds.first], in: folder)
            let snapshots = try SectionExport(try Birds.catalogue([Birds.first])).freeze(source)
            var readings: [[UInt8]] = []
            for _ in 0..<2 {
                var bytes: [UInt8] = []
                for snapshot in snapshots { try snapshot.readRows { bytes += $0 } }
                readings.append(bytes)
                try source.database.write { try $0.execute(sql: "UPDATE bird SET name = name || '!'") }
            }
            #expect(readings[0] == readings[1])
            #expect(!readings[0].isEmpty)
        }
    }

    @Test("a section of an earlier version is put into the tables of its time, and brought up to date")
    func older() throws {
        try withFolder { folder in
            let source = try source([Birds.first], in: folder)
            let snapshots = try SectionExport(try Birds.catalogue([Birds.first])).freeze(source)
            let new = folder.appending(path: "new")
            let staged = try StagedState(new, catalogue: try Birds.catalogue([Birds.first, Birds.second]))
            try move(snapshots, to: staged)
            _ = try staged.seal(keeping: nil)
            let songs = try rows(new.appending(path: "tandem.sqlite"), "SELECT DISTINCT song FROM bird")
            #expect(songs == [["unheard".databaseValue]])
        }
    }

    @Test("a section of a newer version is refused by its name, before anything of it is written")
    func newer() throws {
        try withFolder { folder in
            let source = try source([Birds.first, Birds.second], in: folder)
            let snapshots = try SectionExport(try Birds.catalogue([Birds.first, Birds.second])).freeze(source)
            let staged = try StagedState(folder.appending(path: "new"), catalogue: try Birds.catalogue([Birds.first]))
            #expect(throws: SectionError.newer(section: "birds", theirs: 3, ours: 2)) {
                try move(snapshots, to: staged)
            }
            #expect(SectionError.newer(section: "birds", theirs: 3, ours: 2).description.contains("Update Tandem"))
        }
    }

    @Test("a section that this version does not know is kept, and handed on as it came")
    func unknown() throws {
        try withFolder { folder in
            let source = try source([Birds.first], in: folder)
            let snapshots = try SectionExport(try Birds.catalogue([Birds.first])).freeze(source)
            let plain = try SectionCatalogue([], schema: Schema("test", []))
            let middle = folder.appending(path: "middle")
            let staged = try StagedState(middle, catalogue: plain)
            try move(snapshots, to: staged)
            #expect(try staged.seal(keeping: nil).names.contains("kept-sections"))
            let state = try StateFolder(middle)
            let database = try StateDatabase.open(state.databaseURL, schema: Schema("test", []))
            let handedOn = try SectionExport(plain).freeze(
                SectionExport.Source(database: database, own: [:], state: state) { _ in nil }
            )
            #expect(handedOn.map(\.header) == snapshots.map(\.header).sorted { $0.name < $1.name })
            for (one, other) in zip(handedOn, snapshots.sorted { $0.header.name < $1.header.name }) {
                var bytes: [[UInt8]] = [[], []]
                try one.readRows { bytes[0] += $0 }
                try other.readRows { bytes[1] += $0 }
                #expect(bytes[0] == bytes[1])
                #expect(one.files.map(\.path) == other.files.map(\.path))
            }
        }
    }

    @Test(
        "paths that leave the section, or would be two names of one file, are refused",
        arguments: [
            "folders/songs/../../x", "/folders/songs/x", "folders/songs/a\\b", "folders/other/x", "keys/device-id",
            "folders/songs/\u{0}", "folders//songs/x", "folders", "folders/songs/WREN",
        ]
    )
    func hostilePaths(path: String) throws {
        try withFolder { folder in
            let staged = try StagedState(folder.appending(path: "new"), catalogue: try Birds.catalogue([Birds.first]))
            let header = SectionHeader(
                name: "birds",
                version: 2,
                steps: ["birds-1"],
                tables: [],
                fileCount: 2,
                fileBytes: 2
            )
            let receiver = try staged.begin(header)
            _ = try receiver.place(forFile: "folders/songs/wren", size: 1)
            #expect(throws: SectionError.self) { try receiver.place(forFile: path, size: 1) }
        }
    }

    @Test(
        "rows that no phone wrote are refused",
        arguments: [
            "[0,1,\"a\",null,null]\n[0,2,\"a\",null,null]\n", "[0,1,null,null,null]\n[0,2,\"b\",null,null]\n",
            "[1,1,\"a\",null,null]\n", "[0,1,\"a\",null]\n", "[0,1,\"a\",true,null]\n",
            "[0,1,\"a\",null,{\"blob\":\"!\"}]\n", "[0,1,\"a\",\"heavy\",null]\n", "[0,1,7,null,null]\n",
            "[0,1,\"a\",null,null]\n", "[0,1,\"a\",null,null]\n[0,2,\"b\",null,null]", "{}\n", "\n",
            "[0,1,\"a\",null,null]\n[0,2,\"b\",null,null]\n[0,3,\"c\",null,null]\n", "[-1,1,\"a\",null,null]\n",
        ]
    )
    func hostileRows(text: String) throws {
        try withFolder { folder in
            let staged = try StagedState(folder.appending(path: "new"), catalogue: try Birds.catalogue([Birds.first]))
            let table = SectionHeader.Table(name: "bird", columns: ["id", "name", "weight", "picture"], rows: 2)
            let header = SectionHeader(
                name: "birds",
                version: 2,
                steps: ["birds-1"],
                tables: [table],
                fileCount: 0,
                fileBytes: 0
            )
            #expect(throws: SectionError.self) {
                let receiver = try staged.begin(header)
                try receiver.take(rows: Array(text.utf8))
                try receiver.finish()
            }
        }
    }

    @Test(
        "rows for which there is no room are told with their section, and a smaller bound is all that a package can take"
    )
    func fullDatabase() throws {
        try withFolder { folder in
            let source = try source([Birds.first], in: folder)
            try source.database.write { database in
                for number in 0..<200 {
                    try database.execute(
                        sql: "INSERT INTO bird (name, picture) VALUES (?, zeroblob(65536))",
                        arguments: ["bird \(number)"]
                    )
                }
            }
            let catalogue = try Birds.catalogue([Birds.first])
            let snapshots = try SectionExport(catalogue).freeze(source)
            let new = folder.appending(path: "new")
            let staged = try StagedState(new, catalogue: catalogue, databaseLimit: 4 << 20)
            #expect(throws: SectionError.full(section: "birds")) { try move(snapshots, to: staged, pieces: 1 << 20) }
            let size = try FileManager.default.attributesOfItem(atPath: new.appending(path: "tandem.sqlite").path)[
                .size
            ]
            #expect((size as? NSNumber)?.intValue ?? .max <= 4 << 20)
            #expect(SectionError.full(section: "birds").facts.kind == .full)
            // The phone that gives goes on, and a next attempt begins from nothing.
            let again = try StagedState(new, catalogue: catalogue)
            try move(snapshots, to: again, pieces: 1 << 20)
            _ = try again.seal(keeping: nil)
            #expect(
                try rows(new.appending(path: "tandem.sqlite"), "SELECT COUNT(*) FROM bird") == [[202.databaseValue]]
            )
        }
    }

    @Test("a file that ends before its length, as one on a full disk does, is not taken")
    func shortFile() throws {
        try withFolder { folder in
            let staged = try StagedState(folder.appending(path: "new"), catalogue: try Birds.catalogue([Birds.first]))
            let header = SectionHeader(
                name: "birds",
                version: 2,
                steps: ["birds-1"],
                tables: [],
                fileCount: 2,
                fileBytes: 8
            )
            let receiver = try staged.begin(header)
            try Data("twe".utf8).write(to: receiver.place(forFile: "folders/songs/wren", size: 4))
            let error = SectionError.damaged(section: "birds", reason: "a file is not as long as it says")
            #expect(throws: error) { try receiver.place(forFile: "folders/songs/crane", size: 4) }
        }
    }

    @Test("a package without the keys of the phone takes no place")
    func missing() throws {
        try withFolder { folder in
            let source = try source([Birds.first], in: folder)
            let catalogue = try Birds.catalogue([Birds.first])
            let birds = try SectionExport(catalogue).freeze(source).filter { $0.header.name == "birds" }
            let staged = try StagedState(folder.appending(path: "new"), catalogue: catalogue)
            try move(birds, to: staged)
            #expect(throws: SectionError.missing(section: "identity")) { try staged.seal(keeping: nil) }
        }
    }

    @Test("steps that no version left out are damage, and told as such")
    func stepsOfNoVersion() throws {
        try withFolder { folder in
            let catalogue = try Birds.catalogue([Birds.first, Birds.second])
            let staged = try StagedState(folder.appending(path: "new"), catalogue: catalogue)
            let header = SectionHeader(
                name: "birds",
                version: 2,
                steps: ["birds-2"],
                tables: [],
                fileCount: 0,
                fileBytes: 0
            )
            let error = SectionError.damaged(section: "birds", reason: "its steps are of no version")
            #expect(throws: error) { try staged.begin(header) }
        }
    }

    @Test("a table or a file that nothing names is found")
    func stray() throws {
        try withFolder { folder in
            let source = try source([Birds.first], in: folder)
            let catalogue = try Birds.catalogue([Birds.first])
            let bare = SectionCoverage(catalogue, leaving: [:])
            #expect(try bare.strayTables(in: source.database, of: nil) == ["push"])
            let owner = SectionOwner.feature("birds", hasOwnDatabase: false)
            let full = SectionCoverage(
                catalogue,
                leaving: [owner: [LeftBehind(.table("push"), because: "A device's.")]]
            )
            #expect(try full.strayTables(in: source.database, of: nil).isEmpty)
            let state = try #require(source.state)
            #expect(try full.strayFiles(in: state).isEmpty)
            try Data().write(to: state.url.appending(path: "features/birds/nest"))
            try state.writeKey("other", [1])
            #expect(try full.strayFiles(in: state) == ["keys/other", "features/birds/nest"])
        }
    }
}
