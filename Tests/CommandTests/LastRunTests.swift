import Foundation
import Kernel
import Testing

@testable import TandemCommands

@Suite("How a role's last run ended")
struct LastRunTests {
    private struct Broken: Error, CustomStringConvertible {
        let description = "The port is taken.\nStop the other program."
    }

    private func inFolder(_ body: (StateFolder) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "last-run-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        try body(try StateFolder(url))
    }

    @Test(
        "a note says how its run ended",
        arguments: [
            ("", nil), ("something else\n", nil), ("began 1\n", .unsaid), ("began 1\nended\n", .inOrder),
            ("began 1\nfailed The port is taken.\n", .failed("The port is taken.")),
            ("began 1\nsignal 04\n", .fault(signal: 4)), ("began 1\nsignal 11\n", .fault(signal: 11)),
            ("began 1\nsignal x\n", .unsaid), ("began 1\nsig", .unsaid),
            // It was ending in order when it fell.
            ("began 1\nended\nsignal 06\n", .fault(signal: 6)),
        ] as [(String, LastRun.End?)]
    )
    func notes(text: String, end: LastRun.End?) { #expect(LastRun.End(text) == end) }

    @Test("an end that was in order needs no word, every other has a sentence with its signal in words")
    func words() {
        #expect(LastRun.End.inOrder.words == nil)
        #expect(
            LastRun.End.fault(signal: 4).words
                == "The last run ended by a fault of the program: illegal instruction (signal 4). Please report it."
        )
        #expect(LastRun.End.fault(signal: 11).words?.contains("bad memory address (signal 11)") == true)
        #expect(LastRun.End.unsaid.words?.contains("killed") == true)
    }

    @Test("each run finds how the one before it ended, in a file for its owner alone")
    func runs() throws {
        try inFolder { folder in
            let first = LastRun(in: folder, at: Date(millisecondsSince1970: 1_790_000_000_000))
            #expect(first.end == nil)
            let file = folder.url.appending(path: LastRun.fileName)
            #expect(try String(contentsOf: file, encoding: .utf8) == "began 1790000000000\n")
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            // It says nothing more: it was killed.
            let second = LastRun(in: folder, at: Date())
            #expect(second.end == .unsaid)
            second.over(Broken())
            second.over(nil)
            let third = LastRun(in: folder, at: Date())
            #expect(third.end?.words?.hasPrefix("The last run ended with an error: The port is taken.") == true)
            third.over(nil)
            #expect(LastRun(in: folder, at: Date()).end == .inOrder)
        }
    }

    @Test("a folder that takes no note is no reason not to run")
    func noNote() throws {
        try inFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: LastRun.fileName),
                withIntermediateDirectories: false
            )
            let run = LastRun(in: folder, at: Date())
            #expect(run.end == nil)
            run.over(nil)
        }
    }
}
