import Accounts
import AccountsHub
import Blobs
import Chat
import Foundation
import GRDB
import Kernel
import Logging
import Transport

/// The pictures and recordings of conversations: uploads, signed addresses, and view-once pictures, which have none.
struct ChatMedia: Sendable {
    static let mediaPath = "/media"
    static let flashPath = "/chat/flash"
    static let thumbnailPath = "/thumb"
    /// Width × height of a picture at most.
    static let pixelLimit = 50_000_000

    let store: BlobStore
    let thumbnails: Thumbnails
    let signer: AddressSigner
    let keys: AddressKeys
    let service: ChatService
    let accounts: Accounts
    let gate: RequestGate
    /// The address of this hub as people reach it, without a slash at the end; empty for addresses that begin with the path.
    let base: String
    let logger: Logger

    /// The kinds of uploads, with the prefixes of their keys. Source: `docs/chat-server.md`, "Media".
    static func kinds() throws -> [BlobKind] {
        let pixels = Int64(pixelLimit)
        func kind(_ upload: UploadKind, _ folder: String, _ content: BlobKind.Content, once: Bool = false) throws
            -> BlobKind
        {
            try BlobKind(
                upload.rawValue,
                folder: "chat/\(folder)",
                byteLimit: Int64(upload.limit),
                content: content,
                isReadOnce: once
            )
        }
        return [
            try kind(.image, "image", .media(MediaType.pictures, pixelLimit: pixels)),
            try kind(.voice, "audio", .media(MediaType.sounds)),
            try kind(.flash, "flash", .media(MediaType.pictures, pixelLimit: pixels), once: true),
            try kind(.sealed, "sealed", .opaque),
            try kind(.sealedFlash, "flash/sealed", .opaque, once: true),
        ]
    }

    // MARK: Routes

    /// - Throws: `RouteError`.
    func routes() throws -> [HTTPRoute] {
        let paths = BlobRoutes.Paths(uploads: "/chat/uploads", upload: "/chat/upload", media: Self.mediaPath)
        let blobs = BlobRoutes(store, paths: paths, signer: signer, answers: .im) { [accounts] request in
            try? await accounts.asker(of: request).get().person.imUserID
        }
        return try blobs.routes() + [stableRoute(), flashRoute(), thumbnailRoute()]
    }

    /// A thumbnail, by an address that is signed like that of its picture: who may have the one may have the other.
    private func thumbnailRoute() throws -> HTTPRoute {
        try HTTPRoute(.get, "\(Self.thumbnailPath)/{key...}") { [self] request, _ in
            do {
                let text = request.parameters["key"] ?? ""
                _ = try signer.check(text, request)
                guard let jpeg = try await thumbnails.jpeg(of: text) else { throw BlobError.unknownObject }
                return HTTPRouteResponse(
                    status: 200,
                    fields: [
                        ("Content-Type", MediaType.jpeg.rawValue), ("X-Content-Type-Options", "nosniff"),
                        ("Content-Disposition", "inline"),
                        ("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'"),
                        ("Cache-Control", "private, max-age=86400, immutable"),
                    ],
                    body: .bytes(jpeg)
                )
            } catch let error as BlobError {
                return BlobAnswers.im.refusal(error)
            } catch {
                logger.error("a thumbnail was not given", metadata: ["reason": "\(error)"])
                return BlobAnswers.im.refusal(.failed(reason: "try again later"))
            }
        }
    }

    /// An address that never ends for people with a session: it leads to one that does. Source: OpenIM's `GET /object/NAME`.
    private func stableRoute() throws -> HTTPRoute {
        try HTTPRoute(.get, "/object/{key...}") { [self] request, _ in
            await answering(request) { asker in
                let key = request.parameters["key"] ?? ""
                guard let address = try await address(of: key, for: asker) else { throw BlobError.unknownObject }
                return HTTPRouteResponse(
                    status: 302,
                    fields: [("Location", address), ("Cache-Control", "no-store")]
                )
            }
        }
    }

    /// A view-once picture for the device that has its lease. The picture is destroyed before its last bytes leave.
    private func flashRoute() throws -> HTTPRoute {
        try HTTPRoute(.get, "\(Self.flashPath)/{lease}", duration: .seconds(600)) { [self] request, _ in
            await answering(request) { asker in
                let fetch = try await service.fetchFlash(request.parameters["lease"] ?? "", by: asker.chat)
                guard let key = BlobKey(fetch.flash.objectKey) else { throw BlobError.unknownObject }
                do {
                    return try await store.open(key).singleAnswer {
                        // Who broke off has not seen it: the picture stays for the next transfer.
                        guard await request.hasLeft() else { throw CancellationError() }
                        try await fetch.consume()
                    }
                } catch BlobError.unknownObject {
                    // Another transfer ended since the lease was looked at, and the file went with it.
                    throw ChatHubError.alreadyViewed
                }
            }
        }
    }

    private func answering(
        _ request: RouteRequest,
        _ body: (Asker) async throws -> HTTPRouteResponse
    ) async -> HTTPRouteResponse {
        do {
            let asker = try await accounts.asker(of: request).get()
            try gate.pass(asker)
            return try await body(asker)
        } catch let error as BlobError {
            return BlobAnswers.im.refusal(error)
        } catch {
            let refusal = IMRefusal(error)
            if refusal.isOwnFault { logger.error("media was not given", metadata: ["reason": "\(error)"]) }
            return .im(refusal.failure, retryAfter: refusal.retryAfter)
        }
    }

    // MARK: Requests

    var requests: [ServedRequest] {
        [
            ServedRequest(ChatEndpoints.sign) { [self] request, asker in
                var urls: [String: SignedURL] = [:]
                for key in request.objectKeys {
                    urls[key] = try await address(of: key, for: asker).flatMap { SignedURL($0) }
                }
                return SignedURLs(urls)
            },
            ServedRequest(ChatEndpoints.openFlash) { [self] request, asker in
                guard let sender = request.conversation.peer(of: asker.person) else { throw ChatHubError.notMember }
                let lease = try await service.openFlash(
                    .client(id: request.clientMessageID, sender: sender),
                    in: request.conversation,
                    by: asker.chat
                )
                return OpenedFlash(
                    url: "\(base)\(Self.flashPath)/\(lease.secret)",
                    leaseEnd: lease.endsAt / 1000
                )
            },
        ]
    }

    /// Nil for what this person may not have an address of, for whatever reason: nobody learns whether it is there.
    private func address(of text: String, for asker: Asker) async throws -> String? {
        guard let key = BlobKey(text) else { return nil }
        let object = try await store.object(key)
        guard let object, !store.isReadOnce(object) else { return nil }
        let isUploader = object.owner == asker.person.imUserID
        let maySee = try await service.maySign(text, for: asker.person, isUploader: isUploader)
        // Everybody with a session sees everybody's face.
        guard maySee ? true : try await accounts.isAvatar(text) else { return nil }
        return base + (try signer.address(of: key, for: asker.person.imUserID).target(at: Self.mediaPath))
    }

    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await store.run() }
            group.addTask { await thumbnails.run(over: store) }
            group.addTask {
                await keys.run { logger.error("the keys of addresses stay", metadata: ["reason": "\($0)"]) }
            }
        }
    }
}

extension BlobAnswers {
    /// In OpenIM's envelope.
    static let im = BlobAnswers { value, status in
        status == 200 ? .im(value) : HTTPRouteResponse.im(value).with(status: status)
    } refusal: { error in
        let code: IMErrorCode =
            switch error {
            case .notSignedIn: .tokenNotExisting
            case .unknownUpload: .uploadExpired
            case .unknownObject: .notFound
            case .addressExpired, .addressForged: .noPermission
            case .tooManyUploads, .busy: .tooManyRequests
            case .diskFull, .bytesUsed, .objectsUsed: .insufficientStorage
            case .failed, .malformedKind: .internalError
            default: .badArguments
            }
        return HTTPRouteResponse.im(IMFailure(code, detail: "\(error)")).with(status: error.status)
    }
}

extension HTTPRouteResponse {
    fileprivate func with(status: Int) -> HTTPRouteResponse {
        HTTPRouteResponse(status: status, fields: fields, body: body)
    }
}

/// References of messages to blobs, in the transaction of the message.
struct BlobReferences: ObjectReferences {
    let store: BlobStore

    func retain(_ objectKey: String, uploadedBy person: UserID, isViewOnce: Bool, in database: Database) throws {
        guard let key = BlobKey(objectKey), let object = try store.object(key, in: database),
            object.owner == person.imUserID, store.isReadOnce(object) == isViewOnce,
            // One view-once picture is one message: sent twice, it could be seen twice.
            !isViewOnce || object.references == 0
        else { throw ChatHubError.unknownObject }
        try store.retain(key, of: person.imUserID, in: database)
    }

    func release(_ objectKey: String, in database: Database) throws {
        guard let key = BlobKey(objectKey) else { return }
        try store.release(key, in: database)
    }
}

extension AccountAvatars {
    /// The picture of an account is kept as long as the account names it.
    static func pictures(in store: BlobStore) -> AccountAvatars {
        AccountAvatars { database, old, new, person in
            if !new.isEmpty {
                guard let key = BlobKey(new), let object = try store.object(key, in: database),
                    object.kind == UploadKind.image.rawValue
                else { throw AccountsError.badAvatar }
                do {
                    try store.retain(key, of: person.imUserID, in: database)
                } catch BlobError.unknownObject {
                    throw AccountsError.badAvatar
                }
            }
            if let key = BlobKey(old) { try store.release(key, in: database) }
        }
    }
}
