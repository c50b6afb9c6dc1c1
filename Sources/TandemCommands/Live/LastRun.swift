import CLinux
import Foundation
import Kernel
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How the last run of a role on its state folder ended, and the note from which the next one will know: a file with a line about the
/// beginning, and one about the end where there was time for it.
final class LastRun: Sendable {
    /// How a run ended.
    enum End: Hashable {
        case inOrder
        /// It ended with an error, which says what to do.
        case failed(String)
        /// It ended by a fault of the program.
        case fault(signal: Int32)
        /// Nothing was written down: it was killed, or the machine went off.
        case unsaid

        /// - Parameter note: What the run wrote down. Nil for none at all, or for what is no such note.
        init?(_ note: String) {
            let lines = note.split(separator: "\n")
            guard lines.first?.hasPrefix(LastRun.began) == true else { return nil }
            guard let last = lines.dropFirst().last else {
                self = .unsaid
                return
            }
            if last == LastRun.ended {
                self = .inOrder
            } else if last.hasPrefix(LastRun.failed) {
                self = .failed(String(last.dropFirst(LastRun.failed.count)))
            } else if last.hasPrefix(LastRun.signal), let number = Int32(last.dropFirst(LastRun.signal.count)) {
                self = .fault(signal: number)
            } else {
                self = .unsaid
            }
        }

        /// The words for the person; nil for an end that needs none.
        var words: String? {
            switch self {
            case .inOrder: nil
            case .failed(let sentence): "The last run ended with an error: \(sentence)"
            case .fault(let signal):
                "The last run ended by a fault of the program: \(Self.name(of: signal)) (signal \(signal)). Please report it."
            case .unsaid:
                "The last run ended without a word: it was killed, the memory was short, or the machine went off."
            }
        }

        private static func name(of signal: Int32) -> String {
            switch signal {
            case SIGILL: "illegal instruction"
            case SIGTRAP: "a check that failed"
            case SIGABRT: "aborted"
            case SIGBUS: "bus error"
            case SIGFPE: "arithmetic error"
            case SIGSEGV: "bad memory address"
            default: "unknown"
            }
        }
    }

    static let fileName = "last-run"
    private static let began = "began "
    private static let ended = "ended"
    private static let failed = "failed "
    private static let signal = "signal "
    /// UTF-8 bytes of a note.
    private static let limit = 8 << 10
    /// UTF-8 bytes of an error's sentence in it.
    private static let sentenceLimit = 1000

    /// How the run before this one ended; nil for a first one.
    let end: End?
    /// Where this run's note is; nil where none can be kept, which is no reason not to run.
    private let note: FileHandle?
    private let isOver = Mutex(false)

    /// Reads the last run's note and begins this one's. Called once the folder's lock is held.
    init(in folder: StateFolder, at date: Date) {
        let file = folder.url.appending(path: Self.fileName)
        end = Self.text(of: file).flatMap { End($0) }
        let begin = Data("\(Self.began)\(date.millisecondsSince1970)\n".utf8)
        let isMade = FileManager.default.createFile(
            atPath: file.path,
            contents: begin,
            attributes: [.posixPermissions: 0o600]
        )
        note = try? isMade ? FileHandle(forWritingTo: file) : nil
        guard let note, (try? note.seekToEnd()) != nil else { return }
        // Without it a fault is told as an end without a word.
        _ = tandem_note_faults(note.fileDescriptor)
    }

    private static func text(of file: URL) -> String? {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
        defer { try? handle.close() }  // opened for reading: nothing can be lost
        return (try? handle.read(upToCount: limit)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes down how this run ended.
    ///
    /// - Parameter error: Nil where it ended in order.
    func over(_ error: (any Error)?) {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        guard isFirst, let note else { return }
        _ = tandem_note_faults(-1)
        let line =
            error.map { Self.failed + TerminalText.line(String("\($0)".prefix(Self.sentenceLimit))) } ?? Self.ended
        try? note.write(contentsOf: Data((line + "\n").utf8))  // the next run then says that nothing was written down
        try? note.close()
    }
}
