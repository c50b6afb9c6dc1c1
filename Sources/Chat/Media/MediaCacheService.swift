public import Accounts
public import Foundation
public import Kernel

/// Pictures and voice notes that were seen, on this device's disk. Documented name. Source: rules M1 to M8.
///
/// Photos that burn are excluded from every step: they are neither kept nor fetched ahead nor signed.
public actor MediaCacheService {
    /// Fetches at a time.
    static let width = 4

    /// What an account's cache holds. Another account gets another one.
    private struct Account {
        let folder: MediaFolder
        var files: [String: URL]
        var fetches: [String: Task<SignedURL?, Never>] = [:]
    }

    private let caches: URL
    private let signer: any MediaSigning
    private let fetcher: any MediaFetching
    private let work: BlockingWork
    private let time: any TimeSource
    private var account: Account?
    /// Counts the accounts, so that what was begun for an earlier one ends in nothing.
    private var generation: UInt64 = 0
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter caches: The system's folder for what can be had again.
    public init(
        in caches: URL,
        signer: any MediaSigning,
        fetcher: any MediaFetching,
        work: BlockingWork = BlockingWork("tandem.media", width: 2, urgency: .bulk),
        time: any TimeSource = .system
    ) {
        self.caches = caches
        self.signer = signer
        self.fetcher = fetcher
        self.work = work
        self.time = time
    }

    /// Opens the folder of an account: on signing in, and on every change of accounts. Source: rule M3.
    ///
    /// - Throws: Where the folder cannot be made or read.
    public func initialize(userID: UserID) async throws {
        await close()
        let mine = generation
        let folder = MediaFolder(in: caches, of: userID)
        let files = try await work.run { try folder.open() }
        guard generation == mine else { throw CancellationError() }
        account = Account(folder: folder, files: files)
    }

    /// The account is signed out: what is on disk stays there for it, and nothing of it is seen any more.
    public func close() async {
        generation += 1
        let fetches = account?.fetches.values.map { $0 } ?? []
        account = nil
        for fetch in fetches { fetch.cancel() }
        for fetch in fetches { _ = await fetch.value }
    }

    /// The file of an object; nil where it is not here. Files that the system took away are not here. Source: rules M4, M8.
    public func localURL(for objectKey: String) async -> URL? {
        guard let name = try? MediaName(objectKey: objectKey).text, let url = account?.files[name] else { return nil }
        let mine = generation
        // A disk that is too busy to answer counts as one without the file: it is fetched again.
        let isThere = (try? await work.run { MediaFolder.exists(url) }) ?? false
        guard generation == mine else { return nil }
        // A save meanwhile may have put another file there.
        if !isThere, account?.files[name] == url { account?.files[name] = nil }
        return isThere ? url : nil
    }

    /// Keeps the bytes of an object: the sender's in the conversation's folder, the receiver's in the root. Source: rules M1, M5.
    ///
    /// - Throws: ``ChatError/noAccount``, ``ChatError/badObjectKey``, ``ChatError/neverCached`` for a photo that burns,
    ///   ``ChatError/tooLong(_:limit:)``; what the disk throws.
    @discardableResult
    public func save(_ data: Data, for objectKey: String, in conversation: ConversationID? = nil) async throws -> URL {
        guard !Self.isFlash(objectKey) else { throw ChatError.neverCached }
        let name = try MediaName(objectKey: objectKey)
        guard data.count <= UploadKind.image.limit else {
            throw ChatError.tooLong("media", limit: UploadKind.image.limit)
        }
        guard let folder = account?.folder else { throw ChatError.noAccount }
        let mine = generation
        let url = try await work.run { try folder.write(data, name, in: conversation) }
        guard generation == mine else { throw ChatError.noAccount }
        account?.files[name.text] = url
        return url
    }

    static func isFlash(_ objectKey: String) -> Bool { objectKey.hasPrefix(UploadKind.flashPrefix) }

    /// Fetches an object into the root, if it is not here. Several calls for one key at a time are one fetch. Source: rule M6.
    ///
    /// - Returns: The address with which it was fetched, where it was signed anew; nil where the one that was given is still the newest.
    @discardableResult
    public func prefetch(_ url: SignedURL?, for objectKey: String) async -> SignedURL? {
        guard !Self.isFlash(objectKey), account != nil, (try? MediaName(objectKey: objectKey)) != nil else {
            return nil
        }
        return await fetch(url, objectKey).value
    }

    private func fetch(_ url: SignedURL?, _ objectKey: String) -> Task<SignedURL?, Never> {
        if let running = account?.fetches[objectKey] { return running }
        let mine = generation
        let task = Task { () -> SignedURL? in
            let fresh = await self.fetchNow(url, objectKey)
            self.fetched(objectKey, mine)
            return fresh
        }
        account?.fetches[objectKey] = task
        return task
    }

    private func fetched(_ objectKey: String, _ generation: UInt64) {
        if self.generation == generation { account?.fetches[objectKey] = nil }
    }

    private func fetchNow(_ given: SignedURL?, _ objectKey: String) async -> SignedURL? {
        await takeTurn()
        defer { endTurn() }
        guard !Task.isCancelled, await localURL(for: objectKey) == nil else { return nil }
        var fresh: SignedURL?
        if given.map({ isExpired($0) }) ?? true {
            fresh = await sign([objectKey])[objectKey]
            if fresh == nil { return nil }
        }
        do {
            try await save(bytes(fresh ?? given), for: objectKey)
        } catch ChatError.refused where fresh == nil {
            // An address may end before its time. Source: rule B16.
            fresh = await sign([objectKey])[objectKey]
            // It is fetched when it is looked at; until then the row has the fresh address.
            if let fresh { _ = try? await save(bytes(fresh), for: objectKey) }
        } catch {
            // Nothing is lost: the object is fetched when somebody looks at it.
        }
        return Task.isCancelled ? nil : fresh
    }

    private func bytes(_ url: SignedURL?) async throws -> Data {
        guard let url = url?.url else { throw ChatError.malformed("url") }
        return try await fetcher.fetch(url, limit: UploadKind.image.limit)
    }

    private func isExpired(_ url: SignedURL) -> Bool {
        guard let end = url.expireAt else { return false }
        return time.date.millisecondsSince1970 / 1000 > end - ChatMessage.expiryMargin
    }

    /// Waits for one of a few places, so that a page of pictures leaves the network to what a person waits for.
    private func takeTurn() async {
        if running < Self.width {
            running += 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Hands the place to the next, or gives it back.
    private func endTurn() {
        if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
    }

    /// Addresses for keys, in requests that the server takes. A failure leaves the rows as they are.
    private func sign(_ objectKeys: [String]) async -> [String: SignedURL] {
        var urls: [String: SignedURL] = [:]
        for start in stride(from: 0, to: objectKeys.count, by: SignURLs.limit) {
            let keys = Array(objectKeys[start..<min(start + SignURLs.limit, objectKeys.count)])
            guard let signed = try? await signer.sign(keys) else { continue }
            // An answer may hold keys that were not asked for.
            for key in keys { urls[key] = signed[key] }
        }
        return urls
    }

    /// Finds an address for every object of the messages: a file's where it is here, without any network; a new one where the message's is empty or
    /// over, all of them in one request. Others are left as they are. What is not here is fetched ahead. Source: rule M7.
    ///
    /// Where signing fails the rows keep the addresses they have.
    public func resolveMediaURLs(_ messages: [ChatMessage]) async -> MediaResolution {
        guard account != nil else { return MediaResolution() }
        let mine = generation
        let now = time.date
        var result = MediaResolution()
        var toSign: [String] = []
        var seen: Set<String> = []
        for message in messages {
            let urls = Self.urls(message)
            for key in message.cacheableKeys
            where !Self.isFlash(key) && (try? MediaName(objectKey: key)) != nil && seen.insert(key).inserted {
                if let file = await localURL(for: key) {
                    result.urls[key] = SignedURL(file.absoluteString)
                } else if let url = urls[key], !message.isURLExpired(at: now) {
                    _ = fetch(url, key)
                } else {
                    toSign.append(key)
                }
            }
        }
        guard generation == mine, !toSign.isEmpty else { return generation == mine ? result : MediaResolution() }
        let signed = await sign(toSign)
        guard generation == mine else { return MediaResolution() }
        for (key, url) in signed {
            result.urls[key] = url
            _ = fetch(url, key)
        }
        result.unavailable = Set(toSign).subtracting(signed.keys)
        return result
    }

    private static func urls(_ message: ChatMessage) -> [String: SignedURL] {
        if let keys = message.multiObjectKeys {
            // One key may come twice.
            return Dictionary(
                zip(keys, message.multiImageURLs ?? []).compactMap { key, url in address(url).map { (key, $0) } },
                uniquingKeysWith: { first, _ in first }
            )
        }
        guard let key = message.objectKey, let url = message.imageURL.flatMap(address) else { return [:] }
        return [key: url]
    }

    /// Nil for a file's address: its file was here when it was written, and is looked for by its key.
    private static func address(_ text: String) -> SignedURL? { WebAddress.isOne(text) ? SignedURL(text) : nil }

    /// Returns when nothing is fetched ahead any more.
    package func settled() async {
        while let fetch = account?.fetches.values.first { _ = await fetch.value }
    }
}

/// Addresses that were found for the objects of messages.
public struct MediaResolution: Hashable, Sendable {
    /// What changes, by key, for ``MessageTimeline/replaceURLs(_:)``. Files have addresses that begin with `file:`.
    public var urls: [String: SignedURL] = [:]
    /// Objects without a usable address, for ``MessageTimeline/markUnavailable(_:)``: another look may find one.
    public var unavailable: Set<String> = []

    public init(urls: [String: SignedURL] = [:], unavailable: Set<String> = []) {
        self.urls = urls
        self.unavailable = unavailable
    }
}
