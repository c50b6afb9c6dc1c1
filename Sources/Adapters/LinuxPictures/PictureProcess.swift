import CLinux
import Glibc
import LinuxTerminal
import PictureWire
import Pictures
import Synchronization

/// One running `tandem-pictures`. It is ended with this object. What it says is checked like a stranger's words: a picture may have taken
/// it over.
///
/// ``exchange(_:_:)`` and ``greet()`` block, and are called by one thread at a time; ``giveUp(after:)`` by any.
final class PictureProcess: Sendable {
    private struct State {
        /// How long it was waited for when it was given up.
        var patience: Duration?
        /// How it ended, once that is known.
        var end: (code: Int32, signal: Int32)?
    }

    /// The system's number of the program.
    let id: pid_t
    private let input: Int32
    private let output: Int32
    private let state = Mutex(State())
    private let hello = Mutex<(hello: PictureHello, version: String)?>(nil)

    /// Starts the program. It inherits nothing but its two pipes.
    ///
    /// - Throws: ``PictureError/programMissing(path:)``, ``PictureError/programFails(reason:)``.
    init(_ program: String) throws(PictureError) {
        var ends: [[Int32]] = []
        func closeAll() { for end in ends.joined() { close(end) } }
        // The program has the end to read of its input, and the end to write of its output.
        for programsEnd: Int32 in [0, 1] {
            var pipe: [Int32] = [-1, -1]
            let code = tandem_pipe_open(&pipe, programsEnd)
            guard code == 0 else {
                closeAll()
                throw .programFails(reason: "gets no pipe (\(String(cString: strerror(code))))")
            }
            ends.append(pipe)
        }
        let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
        // The streams of the program have the numbers below.
        guard nothing > 2 else {
            if nothing >= 0 { close(nothing) }
            closeAll()
            throw .programFails(reason: "gets no /dev/null")
        }
        defer { close(nothing) }
        // Where the toolchain's libraries are, for a program that was built here.
        let libraries = getenv("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=\(String(cString: $0))"] } ?? []
        var id: pid_t = 0
        let code = ChildStart.withPointers([program]) { arguments in
            ChildStart.withPointers(["LC_ALL=C.UTF-8", "VIPS_CONCURRENCY=1"] + libraries) { environment in
                tandem_process_spawn(
                    [ends[0][0], ends[1][1], nothing],
                    program,
                    &arguments,
                    &environment,
                    "/",
                    -1,
                    &id
                )
            }
        }
        guard code == 0 else {
            closeAll()
            guard code == ENOENT || code == ENOTDIR else {
                throw .programFails(reason: "cannot be started (\(String(cString: strerror(code))))")
            }
            throw .programMissing(path: program)
        }
        close(ends[0][0])
        close(ends[1][1])
        self.id = id
        input = ends[0][1]
        output = ends[1][0]
    }

    deinit {
        close(input)
        close(output)
        end()
    }

    /// Whether it has not ended by itself.
    var isRunning: Bool {
        state.withLock { state in
            if state.end == nil { Self.reap(id, &state, flags: WNOHANG) }
            return state.end == nil
        }
    }

    /// What it said first, where it has been greeted.
    var greeting: (hello: PictureHello, version: String)? { hello.withLock { $0 } }

    /// Waits for what it says first.
    ///
    /// - Throws: ``PictureError/programFails(reason:)``, ``PictureError/givenUp(reason:)``.
    func greet() throws(PictureError) {
        guard greeting == nil else { return }
        guard let header = read(PictureHello.size) else {
            if state.withLock({ $0.patience }) != nil { throw failure() }
            throw .programFails(reason: "\(endWords()) before it began")
        }
        guard let said = PictureHello(bytes: header), let version = read(said.versionCount) else {
            throw .programFails(reason: "is of another version than this one")
        }
        // Shown to people: the rest of what a program could say is left out.
        let text = String(
            decoding: version.filter { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) },
            as: UTF8.self
        )
        hello.withLock { $0 = (said, text) }
    }

    /// Asks once.
    ///
    /// - Returns: The reply, its text and its bytes: within the request's bounds, and otherwise not checked.
    /// - Throws: ``PictureError/givenUp(reason:)``. The program is of no use any more then.
    func exchange(
        _ request: PictureRequest,
        _ picture: [UInt8]
    ) throws(PictureError) -> (reply: PictureReply, text: String, bytes: [UInt8]) {
        guard write(request.bytes), write(picture), let header = read(PictureReply.size) else { throw failure() }
        guard let reply = PictureReply(bytes: header), reply.byteCount <= request.replyLimit else {
            throw .givenUp(reason: "answered something else than a picture")
        }
        guard let text = read(reply.textCount), let bytes = read(reply.byteCount) else { throw failure() }
        return (reply, String(decoding: text, as: UTF8.self), bytes)
    }

    /// Ends it while it works: it took too long.
    func giveUp(after patience: Duration) {
        state.withLock { state in
            state.patience = patience
            // Its number is its own until it has been reaped, which happens under the same lock.
            if state.end == nil { kill(id, SIGKILL) }
        }
    }

    // MARK: The end

    private func failure() -> PictureError {
        if let patience = state.withLock({ $0.patience }) {
            return .givenUp(reason: "needed more than \(patience.components.seconds) seconds for it")
        }
        return .givenUp(reason: endWords())
    }

    /// How it ended. It is ended now where it has only closed its streams.
    private func endWords() -> String {
        let end = end()
        return end.signal > 0 ? "ended with signal \(end.signal)" : "ended with status \(max(end.code, 0))"
    }

    @discardableResult
    private func end() -> (code: Int32, signal: Int32) {
        state.withLock { state in
            if let end = state.end { return end }
            // Without effect where it is ending by itself, whose reason stands.
            kill(id, SIGKILL)
            Self.reap(id, &state, flags: 0)
            return state.end ?? (-1, -1)
        }
    }

    private static func reap(_ id: pid_t, _ state: inout State, flags: Int32) {
        var status: Int32 = 0
        var ended: pid_t
        repeat { ended = waitpid(id, &status, flags) } while ended < 0 && errno == EINTR
        // 0: it still runs. Negative: somebody else has reaped it, and how it ended is lost.
        guard ended != 0 else { return }
        let signal = status & 0x7F
        state.end = ended < 0 ? (-1, -1) : (code: signal == 0 ? status >> 8 & 0xFF : -1, signal: signal)
    }

    // MARK: Pipes

    /// - Returns: Exactly `count` bytes; nil where its output ends before.
    private func read(_ count: Int) -> [UInt8]? {
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let got = Glibc.read(output, buffer.baseAddress.map { $0 + filled }, count - filled)
                if got > 0 {
                    filled += got
                } else if got < 0, errno == EAGAIN {
                    Self.wait(output, for: POLLIN)
                } else if got == 0 || errno != EINTR {
                    isWhole = false
                    return
                }
            }
        }
        return isWhole ? bytes : nil
    }

    /// - Returns: False where the program does not read any more.
    private func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let wrote = tandem_pipe_write(input, part.baseAddress, part.count)
                if wrote >= 0 {
                    rest = rest.dropFirst(wrote)
                } else if wrote == -Int(EAGAIN) {
                    Self.wait(input, for: POLLOUT)
                } else {
                    return false
                }
            }
            return true
        }
    }

    /// Waits without a limit: a program that takes too long is ended, which ends its pipes.
    private static func wait(_ descriptor: Int32, for events: Int32) {
        var waited = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        _ = poll(&waited, 1, -1)
    }
}
