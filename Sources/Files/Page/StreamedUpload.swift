import Commands
import Foundation
import Kernel
import Transfers

/// A file that arrives in order and goes to a computer as it does, without a place on this device's disk. The computer keeps what it has:
/// a cut one goes on from there.
struct StreamedUpload: Sendable {
    private static let partsAtATime = 16
    /// How often, and how far apart, one that is to end is looked at while its request still ends.
    private static let endingTries = 50
    private static let endingPause = Duration.milliseconds(100)

    let name: String
    /// On the computer; empty: where it puts what it is sent.
    let folder: String
    let size: Int64
    /// The sender's name for this version of its file: the same upload again goes on.
    let source: String
    let replaces: Bool
    let modifiedMilliseconds: Int64?

    private struct Begun: Sendable {
        let transfer: RemoteTransfer
        let path: String

        /// Where the sender goes on: behind all that is there without a gap, at the start of a part.
        var offset: Int64 {
            let end = transfer.received.end
            return end >= transfer.size ? transfer.size : end / transfer.chunkSize * transfer.chunkSize
        }
    }

    /// How much the computer has of it.
    func offset(at client: FileTransferClient) async throws -> Int64 { try await begin(at: client).offset }

    /// - Parameters:
    ///   - offset: The offset of the first byte that comes.
    ///   - body: The rest of the file.
    /// - Returns: Where the computer has put it.
    /// - Throws: ``StreamedUploadError/wrongOffset(Int64)`` for one that leaves a gap.
    func run(
        from offset: Int64,
        _ body: some AsyncSequence<[UInt8], any Error> & Sendable,
        to client: FileTransferClient
    ) async throws -> String {
        try await client.claim(key)
        return try await client.releasing(key) { try await send(from: offset, body, to: client) }
    }

    private var key: String { "page \(folder)/\(name) \(source)" }

    /// Ends it for good: the computer throws away what it has of it.
    ///
    /// - Throws: ``TransferError/busy`` where it goes on being sent.
    func cancel(at client: FileTransferClient) async throws {
        // The request that brought it may still be ending, and shall not begin it again behind this.
        var tries = Self.endingTries
        while true {
            do {
                try await client.claim(key)
                break
            } catch TransferError.busy where tries > 0 {
                tries -= 1
                try await client.time.sleep(for: Self.endingPause)
            }
        }
        try await client.releasing(key) { try await end(at: client) }
    }

    private func end(at client: FileTransferClient) async throws {
        let list = try await client.call(FileMethods.listTransfers, NoParameters())
        // One that never began would be begun by asking for it, with all its room.
        let isThere = list.transfers.contains { transfer in
            transfer.direction == .upload && transfer.fileName == name && transfer.fileSize == size
                && transfer.status != "done"
        }
        guard isThere else { return }
        // A file that took its name meanwhile is no reason to keep what is thrown away.
        let begun = try await begin(at: client, replacing: true)
        _ = try await client.call(FileMethods.cancelTransfer, NamedTransfer(begun.transfer.text))
    }

    private func begin(at client: FileTransferClient, replacing: Bool? = nil) async throws -> Begun {
        var params = RequestUpload(fileName: name, fileSize: size)
        params.folder = folder
        params.source = source
        params.replaces = replacing ?? replaces
        params.modifiedMilliseconds = modifiedMilliseconds
        let (transfer, path) = try await client.requestUpload(params)
        return Begun(transfer: transfer, path: path)
    }

    private func send(
        from offset: Int64,
        _ body: some AsyncSequence<[UInt8], any Error> & Sendable,
        to client: FileTransferClient
    ) async throws -> String {
        let begun = try await begin(at: client)
        let transfer = begun.transfer
        guard offset <= begun.offset, offset == size || offset % transfer.chunkSize == 0 else {
            throw StreamedUploadError.wrongOffset(begun.offset)
        }
        // Bytes that were sent before are not here any more, so no digest can be made of the whole.
        var digest = offset == 0 ? FileDigest(transfer.checksumMethod, size: size) : nil
        var position = offset
        var waiting: [UInt8] = []
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            var running = 0
            func begin(_ bytes: [UInt8]) async throws {
                try digest?.take(bytes[...], at: position)
                if running == Self.partsAtATime {
                    try await group.next()
                    running -= 1
                }
                let start = position
                // Waited for here, so that no more than fits into the window is read from the page.
                try await client.window.acquire(bytes.count)
                group.addTask {
                    try await client.window.releasing(bytes.count) {
                        try await client.hand(bytes.count, at: start, to: transfer) { bytes }
                    }
                }
                running += 1
                position += Int64(bytes.count)
            }
            for try await piece in body {
                waiting += piece
                guard position + Int64(waiting.count) <= size else { throw StreamedUploadError.tooLong(size) }
                while waiting.count >= transfer.chunkSize {
                    try await begin(Array(waiting.prefix(Int(transfer.chunkSize))))
                    waiting.removeFirst(Int(transfer.chunkSize))
                }
            }
            guard position + Int64(waiting.count) == size else {
                // Parts that are whole go on; the rest is asked for again.
                try await group.waitForAll()
                throw StreamedUploadError.cut(at: position)
            }
            if !waiting.isEmpty { try await begin(waiting) }
            try await group.waitForAll()
        }
        let checksum = try digest.map { digest in
            var digest = digest
            return try digest.finish(named: name)
        }
        return try await client.complete(transfer, checksum: checksum) ?? begun.path
    }
}

/// Why an upload of a page did not go on. The description is shown to the person.
enum StreamedUploadError: ClassifiedError, Hashable, CustomStringConvertible {
    /// It goes on from here.
    case wrongOffset(Int64)
    case cut(at: Int64)
    case tooLong(Int64)

    var facts: FailureFacts {
        switch self {
        case .wrongOffset, .tooLong: .kind(.badRequest)
        case .cut: .kind(.cancelled)
        }
    }

    var description: String {
        switch self {
        case .wrongOffset(let offset): "The computer has \(offset) bytes of the file. Go on from there."
        case .cut(let offset): "The file ended after \(offset) bytes. Send the rest."
        case .tooLong(let size): "More than the \(size) bytes came that were announced. Choose the file again."
        }
    }
}
