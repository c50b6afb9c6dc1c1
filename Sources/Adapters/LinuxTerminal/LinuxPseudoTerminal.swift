import CLinux
import Dispatch
import Glibc
import Synchronization
package import Terminal
package import TerminalHost

/// A shell on a pseudo terminal. The master side never blocks; a caller that finds it empty or full waits for the kernel.
package final class LinuxPseudoTerminal: PseudoTerminal {
    /// Typed and not yet taken by the terminal.
    static let inputLimit = 256 * 1024

    private struct State {
        var isOpen = true
        /// Reading said that nothing more comes.
        var isOver = false
        var reader: CheckedContinuation<Void, Never>?
        var unwritten: ArraySlice<UInt8> = []
    }

    package let shell: String
    package let folder: String
    private let master: Int32
    private let process: ShellProcess
    private let state = Mutex(State())
    private let readable: Readiness
    private let writable: Readiness

    package var processID: Int32 { process.id }

    /// - Parameter master: A non-blocking descriptor, owned from here on.
    init(master: Int32, process: ShellProcess, shell: String, folder: String, queue: DispatchQueue) {
        self.master = master
        self.process = process
        self.shell = shell
        self.folder = folder
        let link = WeakLink<LinuxPseudoTerminal>()
        readable = Readiness(reading: master, queue: queue) { link.object?.wakeReader() }
        writable = Readiness(writing: master, queue: queue) { link.object?.writeOn() }
        link.attach(self)
    }

    deinit { hangUp() }

    // MARK: Reading

    package func read(upTo limit: Int) async -> [UInt8]? {
        while true {
            switch readNow(upTo: limit) {
            case .bytes(let bytes): return bytes
            case .over: return nil
            case .nothing: await untilReadable()
            }
        }
    }

    private enum ReadResult {
        case bytes([UInt8])
        case nothing
        case over
    }

    /// A terminal gives at most 4095 bytes at a time: reads until there is nothing or enough.
    private func readNow(upTo limit: Int) -> ReadResult {
        state.withLock { state in
            guard state.isOpen, !state.isOver else { return .over }
            let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                while count < limit {
                    let got = Glibc.read(master, buffer.baseAddress.map { $0 + count }, limit - count)
                    if got > 0 {
                        count += got
                    } else if got < 0, errno == EINTR {
                        continue
                    } else {
                        // EIO, the normal end: no program has the terminal open any more.
                        state.isOver = got == 0 || errno != EAGAIN
                        break
                    }
                }
            }
            return bytes.isEmpty ? (state.isOver ? .over : .nothing) : .bytes(bytes)
        }
    }

    private func untilReadable() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if state.isOpen { state.reader = continuation }
                return state.isOpen
            }
            if isOpen { readable.arm() } else { continuation.resume() }
        }
    }

    private func wakeReader() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    // MARK: Writing

    package func write(_ bytes: [UInt8]) throws(TerminalError) {
        let result: Result<Bool, TerminalError> = state.withLock { state in
            guard state.isOpen else { return .failure(.sessionNotAlive) }
            guard state.unwritten.count + bytes.count <= Self.inputLimit else { return .failure(.inputFull) }
            let wasIdle = state.unwritten.isEmpty
            state.unwritten += bytes
            if wasIdle { writeNow(&state) }
            return .success(!state.unwritten.isEmpty)
        }
        if try result.get() { writable.arm() }
    }

    private func writeOn() {
        let isLeft = state.withLock { state in
            if state.isOpen { writeNow(&state) }
            return !state.unwritten.isEmpty
        }
        if isLeft { writable.arm() }
    }

    private func writeNow(_ state: inout State) {
        while !state.unwritten.isEmpty {
            let wrote = state.unwritten.withUnsafeBytes { Glibc.write(master, $0.baseAddress, $0.count) }
            if wrote > 0 {
                state.unwritten = state.unwritten.dropFirst(wrote)
            } else if wrote < 0, errno == EINTR {
                continue
            } else {
                // Anything but "full": no process is there to read it.
                if wrote == 0 || errno != EAGAIN { state.unwritten = [] }
                break
            }
        }
        if state.unwritten.isEmpty { state.unwritten = [] }
    }

    // MARK: The rest

    package func resize(to size: TerminalSize) {
        state.withLock { state in
            // The size of a closed terminal does not matter.
            if state.isOpen { _ = tandem_terminal_resize(master, size.columns, size.rows) }
        }
    }

    package var foreground: TerminalForeground? {
        let group = state.withLock { $0.isOpen ? tcgetpgrp(master) : -1 }
        guard group > 0, let program = Self.name(of: group) else { return nil }
        return TerminalForeground(program: program, folder: Self.link(at: "/proc/\(group)/cwd"))
    }

    /// What the kernel keeps of a program's name: 15 bytes.
    private static func name(of process: pid_t) -> String? {
        let file = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 64) { $1 = max(0, Glibc.read(file, $0.baseAddress, $0.count)) }
        let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return name.isEmpty ? nil : name
    }

    /// Where a link of the kernel's leads, absolute; nil for one that may not be read, and for a folder that was removed.
    private static func link(at path: String) -> String? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { max(0, readlink(path, $0, text.count)) } ?? 0
            }
        }
        let target = String(decoding: bytes, as: UTF8.self)
        return target.hasPrefix("/") && !target.hasSuffix(" (deleted)") ? target : nil
    }

    package func exit() async -> TerminalExit { await process.exit() }

    package func kill() { process.kill() }

    package func hangUp() {
        let (wasOpen, reader) = state.withLock { state in
            defer {
                state.isOpen = false
                state.reader = nil
                state.unwritten = []
            }
            return (state.isOpen, state.reader)
        }
        guard wasOpen else { return }
        reader?.resume()
        // The descriptor is closed when neither source watches it: until then no other file may get its number.
        let closing = Closing(descriptor: master, watchers: 2)
        readable.cancel { closing.watcherLeft() }
        writable.cancel { closing.watcherLeft() }
    }
}

extension LinuxPseudoTerminal {
    private final class Closing: Sendable {
        private let descriptor: Int32
        private let watchers: Mutex<Int>

        init(descriptor: Int32, watchers: Int) {
            self.descriptor = descriptor
            self.watchers = Mutex(watchers)
        }

        func watcherLeft() {
            let left = watchers.withLock { watchers in
                watchers -= 1
                return watchers
            }
            if left == 0 { close(descriptor) }
        }
    }
}
