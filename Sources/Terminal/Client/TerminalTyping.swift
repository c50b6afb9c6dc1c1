import Commands
import Kernel

/// Takes what is typed to one terminal: at once while the link keeps up, in larger pieces while it does not, and each piece
/// once, however often it has to be sent.
actor TerminalTyping {
    /// Pieces on their way at a time: the next key does not wait for the answer to the last.
    static let inFlightLimit = 8
    static let pieceLimit = 16 * 1024
    static let waitingLimit = 256 * 1024
    static let retryDelay: Duration = .milliseconds(100)

    private let sessionID: String
    private let inputID: String
    private let peer: any Peer
    private let time: any TimeSource
    /// Whether the computer knows the numbers. One that does not gets one piece at a time, and none twice.
    private let isNumbered: Bool
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private var decoder = UTF8Stream()
    /// Input that has not been sent to the computer.
    private(set) var waiting = ""
    private var inFlight = 0
    private var lastSeq: Int64 = 0
    /// Wakes callers of ``typeAll(_:)``: counts the pieces that left ``waiting``.
    private let piecesTaken = LatestValue(0)

    /// - Parameter inputID: Tells this attachment's numbers from those of any other.
    init(sessionID: String, inputID: String, peer: any Peer, time: any TimeSource) {
        isNumbered = peer.isSealed
        self.sessionID = sessionID
        self.inputID = inputID
        self.peer = peer
        self.time = time
        (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func type(_ bytes: [UInt8]) throws(TerminalError) {
        guard waiting.utf8.count + bytes.count <= Self.waitingLimit else { throw .inputFull }
        waiting += decoder.decode(bytes)
        wake.yield()
    }

    /// Like ``type(_:)``, but waits while the computer takes nothing, and takes any number of bytes.
    ///
    /// - Throws: `CancellationError`.
    func typeAll(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(Self.pieceLimit))
            rest = rest.dropFirst(piece.count)
            try await typeWhenFree(piece)
        }
    }

    private func typeWhenFree(_ piece: [UInt8]) async throws {
        // Between the check and the typing nothing is awaited: what another caller types meanwhile is counted.
        for await _ in piecesTaken.values() where waiting.utf8.count + piece.count <= Self.waitingLimit {
            return try type(piece)
        }
        throw CancellationError()
    }

    /// Sends until cancelled. Once only.
    ///
    /// - Throws: `RemoteFailure` where the computer refuses for good.
    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await _ in wakes {
                while inFlight < (isNumbered ? Self.inFlightLimit : 1), let piece = takeNext() {
                    group.addTask { try await self.deliver(piece.text, seq: piece.seq) }
                }
            }
        }
    }

    private func takeNext() -> (text: String, seq: Int64)? {
        guard !waiting.isEmpty else { return nil }
        let piece = String(waiting[...].prefix(bytes: Self.pieceLimit))
        waiting = piece.utf8.count == waiting.utf8.count ? "" : String(waiting.utf8.dropFirst(piece.utf8.count)) ?? ""
        inFlight += 1
        lastSeq += 1
        piecesTaken.update { $0 += 1 }
        return (piece, lastSeq)
    }

    private func deliver(_ text: String, seq: Int64) async throws {
        let params = TerminalMethods.Input(
            sessionID: sessionID,
            text: text,
            place: TerminalMethods.Input.Place(inputID: inputID, seq: seq)
        )
        var isDelivered = false
        while !isDelivered {
            do {
                _ = try await peer.call(TerminalMethods.stdin, params)
                isDelivered = true
            } catch let failure as RemoteFailure {
                switch TerminalError(failure) {
                // The program reads on at some time, or what comes before arrives.
                case .inputFull, .inputOutOfOrder: try await time.sleep(for: Self.retryDelay)
                // The task that shows the output learns that, too.
                case .sessionNotAlive, .sessionNotFound: isDelivered = true
                default: throw failure
                }
            } catch RemoteError.timeout where !isNumbered {
                isDelivered = true  // perhaps it was typed: what is shown tells, and twice would be worse
            } catch  where RemoteError.isPassing(error) {
                // The number keeps it from being typed twice where only the answer was lost.
                try await time.sleep(for: Self.retryDelay)
            }
        }
        inFlight -= 1
        wake.yield()
    }
}
