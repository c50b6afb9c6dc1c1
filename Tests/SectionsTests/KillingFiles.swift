import Foundation

@testable import Sections

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file system of this machine, for a process that the system ends at its k-th call: no `defer`, no `deinit` and no handler runs then.
final class KillingFiles: SwapFiles {
    private let files = SystemSwapFiles()
    private let end: Int
    private(set) var calls = 0

    init(endingAt end: Int) { self.end = end }

    private func call() {
        calls += 1
        if calls == end { kill(getpid(), SIGKILL) }
    }

    func exists(_ url: URL) throws -> Bool {
        call()
        return try files.exists(url)
    }

    func move(_ url: URL, to target: URL) throws {
        call()
        try files.move(url, to: target)
    }

    func mark(_ url: URL) throws {
        call()
        try files.mark(url)
    }

    func unmark(_ url: URL) throws {
        call()
        try files.unmark(url)
    }

    func makeFolder(_ url: URL) throws {
        call()
        try files.makeFolder(url)
    }

    func sync(_ folder: URL) throws {
        call()
        try files.sync(folder)
    }

    func fold(_ database: URL) throws {
        call()
        try files.fold(database)
    }

    func plan(in folder: URL) throws -> SwapPlan? {
        call()
        return try files.plan(in: folder)
    }

    func write(_ plan: SwapPlan, to folder: URL) throws {
        call()
        try files.write(plan, to: folder)
    }
}
