import Chat
import Foundation
import Kernel
import Transport

/// Files that a page handed in, for a message that it sends next: each under a token, until it is used or its hour is over.
actor Attachments {
    /// Bytes of one: what a camera makes of a picture, before it is made small.
    static let byteLimit = 25 << 20
    private static let countLimit = 32
    private static let wholeLimit = 256 << 20
    private static let lifetime = Duration.seconds(3600)

    private struct Attachment {
        var size: Int
        var end: ContinuousClock.Instant
    }

    private let folder: URL
    private let work: BlockingWork
    private let time: any TimeSource
    private var kept: [String: Attachment] = [:]
    /// Those that arrive now count with their largest size.
    private var arriving = 0

    /// Makes the folder, empty: tokens do not outlast the program.
    ///
    /// - Throws: What the disk says.
    init(in folder: URL, work: BlockingWork, time: any TimeSource) throws {
        try MediaDisk.makeEmpty(folder)
        self.folder = folder
        self.work = work
        self.time = time
    }

    /// Keeps a file.
    ///
    /// - Returns: Its token.
    /// - Throws: ``ChatError/tooMany(_:limit:)`` while too many wait; ``ChatError/malformed(_:)`` for an empty one; what the page's connection or
    ///   the disk say.
    func take(_ body: HTTPRequestBody) async throws -> String {
        await sweep()
        let size = kept.values.reduce(0) { $0 + $1.size } + (arriving + 1) * Self.byteLimit
        guard kept.count + arriving < Self.countLimit, size <= Self.wholeLimit else {
            throw ChatError.tooMany("files", limit: Self.countLimit)
        }
        arriving += 1
        defer { arriving -= 1 }
        // The route's own bound holds here.
        let bytes = try await body.collect()
        guard !bytes.isEmpty else { throw ChatError.malformed("file") }
        let token = UUID.randomText()
        let file = url(of: token)
        try await work.run { try MediaDisk.write(bytes, to: file) }
        kept[token] = Attachment(size: bytes.count, end: time.now + Self.lifetime)
        return token
    }

    /// The file of a token.
    ///
    /// - Throws: ``ChatError/attachmentGone``.
    func file(of token: String) async throws(ChatError) -> URL {
        await sweep()
        guard kept[token] != nil else { throw .attachmentGone }
        return url(of: token)
    }

    /// Forgets those that became a message.
    func remove(_ tokens: [String]) async {
        let gone = tokens.filter { kept.removeValue(forKey: $0) != nil }.map(url)
        guard !gone.isEmpty else { return }
        try? await work.finish { for file in gone { MediaDisk.remove(file) } }  // swept at the next start
    }

    private func sweep() async {
        let now = time.now
        await remove(kept.filter { $0.value.end <= now }.map(\.key))
    }

    private func url(of token: String) -> URL { folder.appending(component: token, directoryHint: .notDirectory) }
}
