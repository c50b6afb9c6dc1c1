import Accounts
import Chat
import Foundation
import Kernel
import WebClient

/// Pictures and recordings at an account's hub: addresses, bytes, and view-once pictures. Nothing is fetched from anywhere else: an address in a
/// message is its sender's word, and fetching from it would tell strangers where the reader is.
struct HubMedia: MediaSigning, MediaFetching {
    private static let mediaPath = "/media/"
    private static let thumbnailPath = "/thumb/"
    private static let flashPath = "/chat/flash/"
    /// Tries of a view-once picture within its lease, the first included.
    private static let flashTries = 3
    private static let timeouts = WebTimeouts(idle: .seconds(30), whole: .seconds(300))

    let requests: HubRequests
    /// Opens files of sealed conversations; nil for accounts without keys.
    var sealing: SealedMessages?

    // MARK: Addresses

    func sign(_ objectKeys: [String]) async throws -> [String: SignedURL] {
        let signed = try await requests.ask(ChatEndpoints.sign, SignURLs(objectKeys)).urls
        return signed.compactMapValues { url in
            (try? address(url.text, below: Self.mediaPath)).flatMap { SignedURL($0.text) }
        }
    }

    /// The same address at the account's own hub. What is signed is the path and the query: a hub that is known by several names, or that tells an
    /// address without a host, means itself.
    ///
    /// - Throws: ``ChatError/malformed(_:)`` for an address that leads anywhere else.
    private func address(_ text: String, below path: String) throws(ChatError) -> WebURL {
        guard text.utf8.count <= ChatLimits.url, let parts = URLComponents(string: text),
            parts.percentEncodedPath.hasPrefix(path), !parts.percentEncodedPath.contains("..")
        else { throw .malformed("url") }
        let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
        do throws(WebClientError) {
            return try WebURL(requests.hub.base + parts.percentEncodedPath + query)
        } catch {
            throw .malformed("url")
        }
    }

    /// The object's key of a face as a hub tells it: in an address of the picture or of its thumbnail, or the key itself. Nil for none, and for an
    /// address that leads elsewhere.
    static func faceKey(_ avatar: String) -> String? {
        guard !avatar.isEmpty, avatar.utf8.count <= ChatLimits.url else { return nil }
        guard avatar.hasPrefix("/") || avatar.contains("://") else { return avatar }
        guard let path = URLComponents(string: avatar)?.path,
            let prefix = [mediaPath, thumbnailPath].first(where: { path.hasPrefix($0) })
        else { return nil }
        let key = String(path.dropFirst(prefix.count))
        return key.isEmpty ? nil : key
    }

    // MARK: Bytes

    func fetch(_ url: URL, limit: Int) async throws -> Data {
        let request = WebRequest(
            .get,
            try address(url.absoluteString, below: Self.mediaPath),
            timeouts: Self.timeouts,
            largestBody: Int64(limit)
        )
        let bytes = try await bytes(request)
        guard let sealing else { return Data(bytes) }
        return Data(try await sealing.open(bytes, of: String(url.path.dropFirst(Self.mediaPath.count))))
    }

    /// The bytes of an object as the hub has them.
    ///
    /// - Parameter limit: Bytes at most.
    /// - Throws: ``ChatError``: `refused(.notFound)` for one that is not there, or not this person's.
    func object(_ key: String, limit: Int) async throws(ChatError) -> [UInt8] {
        guard let url = try await requests.ask(ChatEndpoints.sign, SignURLs([key])).urls[key] else {
            throw .refused(.notFound)
        }
        return try await bytes(
            WebRequest(
                .get,
                try address(url.text, below: Self.mediaPath),
                timeouts: Self.timeouts,
                largestBody: Int64(limit)
            )
        )
    }

    /// Opens a view-once picture for this device and gets it. Where the transfer breaks it is tried again within the lease.
    ///
    /// - Throws: ``ChatError/flashGone`` for one that was opened before, or burned.
    func openFlash(_ flash: OpenFlash) async throws(ChatError) -> [UInt8] {
        do throws(ChatError) {
            let opened = try await requests.ask(ChatEndpoints.openFlash, flash)
            let address = try address(opened.url, below: Self.flashPath)
            for _ in 1..<Self.flashTries {
                do throws(ChatError) {
                    return try await leased(address)
                } catch  where error.isTransport {
                    continue
                }
            }
            return try await leased(address)
        } catch .refused(.gone, _) {
            throw .flashGone
        }
    }

    /// What was fetched of a view-once picture, as its sender had it.
    ///
    /// - Throws: ``ChatError/notAPicture`` for bytes that are not the ones that were sent.
    func opened(_ bytes: [UInt8], of message: ChatMessage) async throws(ChatError) -> [UInt8] {
        guard let sealing else { return bytes }
        do {
            return try await sealing.openFlash(bytes, of: message.id, from: message.sender)
        } catch {
            throw .notAPicture
        }
    }

    private func leased(_ address: WebURL) async throws(ChatError) -> [UInt8] {
        var request = WebRequest(
            .get,
            address,
            timeouts: Self.timeouts,
            largestBody: Int64(UploadKind.flash.limit)
        )
        request.fields.set("Authorization", "Bearer \(try await requests.token())")
        return try await bytes(request)
    }

    private func bytes(_ request: WebRequest) async throws(ChatError) -> [UInt8] {
        let answer: CollectedAnswer
        do throws(WebClientError) {
            answer = try await requests.web.collect(request)
        } catch {
            throw ChatError(error)
        }
        if answer.isRedirect { throw .redirected }
        switch answer.status {
        case 200: return answer.body
        case 401, 403: throw .refused(.noPermission)
        case 404: throw .refused(.notFound)
        case 410: throw .refused(.gone)
        case 408, 429, 500...599: throw .unreachable
        default: throw .malformed("answer")
        }
    }
}
