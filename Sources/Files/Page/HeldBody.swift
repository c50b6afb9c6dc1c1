import CommandClient
import Commands
import Kernel
import Transfers

/// The bytes of one response of a ``HeldDownload``: waits while that is paused, and while the computer is away, and goes on with the same version.
actor HeldBody {
    /// How long one part may wait for a computer that is away.
    static let patience = Duration.seconds(10 * 60)
    private static let pause = Duration.seconds(1)

    private let held: HeldDownload
    private let computers: any PairedComputers
    private let time: any TimeSource
    private let end: Int64
    private let reachability: Task<Void, Never>
    private var transfer: RemoteTransfer
    private var position: Int64
    /// Nil while it has to be asked for anew.
    private var stream: FileStream?
    /// How far the checksum came, of a stream that broke.
    private var digest: FileDigest?

    /// - Parameters:
    ///   - held: Opened for this response.
    ///   - range: Bytes of the file, inside of it.
    init(
        _ held: HeldDownload,
        _ transfer: RemoteTransfer,
        _ range: Range<Int64>,
        client: FileTransferClient,
        computers: any PairedComputers,
        time: any TimeSource
    ) {
        self.held = held
        self.computers = computers
        self.time = time
        self.transfer = transfer
        position = range.lowerBound
        end = range.upperBound
        stream = FileStream(transfer, range, client: client)
        reachability = Task { [weak held] in
            // Where nothing tells, a failure does.
            guard let device = held?.device, let peer = try? await computers.peer(named: device),
                let reached = try? await peer.reachability()
            else { return }
            for await isReached in reached { held?.setReached(isReached) }
        }
    }

    deinit {
        // The response is over, however it ended.
        reachability.cancel()
        held.closed()
    }

    /// The next bytes; nil at the end.
    ///
    /// - Throws: `CancellationError` where the page cancelled it, or the browser left; what ``FileStream/next()`` throws.
    func next() async throws -> [UInt8]? {
        do {
            try await held.turn()
            guard let piece = try await held.reading({ try await self.read() }) else {
                held.given()
                return nil
            }
            // It may have been paused while the part was on its way.
            try await held.turn()
            try held.gives(piece.count)
            return piece
        } catch {
            held.failed(error)
            throw error
        }
    }

    private func read() async throws -> [UInt8]? {
        let began = time.now
        var isFirst = true
        while true {
            do {
                let stream = if let stream { stream } else { try await again() }
                let piece = try await stream.next()
                held.setAway(false)
                position += Int64(piece?.count ?? 0)
                return piece
            } catch {
                digest = await stream?.digest ?? digest
                stream = nil
                let isAbsence = HeldDownload.isAbsence(error)
                let isForgotten = error.transferCode == FailureCode.unknownTransfer
                // Without a version it could be another file by now.
                guard isAbsence || isForgotten, held.version != nil, time.now - began < Self.patience else {
                    throw error
                }
                held.setAway(isAbsence)
                // A transfer that the computer forgot, after a pause or a restart, is asked for anew at once.
                if isForgotten, isFirst {
                    isFirst = false
                } else {
                    try await time.sleep(for: Self.pause)
                }
            }
        }
    }

    /// The rest of the same version.
    private func again() async throws -> FileStream {
        let client = try await FilesFeature.client(computers, held.device)
        let next = try await client.requestDownload(held.path, version: held.version, continuing: transfer)
        guard next.size == transfer.size, next.version == held.version else {
            throw TransferError.sourceChanged(held.path)
        }
        // Bytes read so far count only where the rest is read and added up in the same way.
        if !next.continues(transfer) { digest = nil }
        transfer = next
        let rest = FileStream(next, position..<end, client: client, digest: digest)
        stream = rest
        return rest
    }
}
