import Kernel
package import Transport

/// The HTTP of a store: uploads in parts, uploads in one request, and blobs by signed addresses. A feature mounts it under paths of its own, says
/// who asks, and gives the answers their form. Source: `docs/blobs.md`, "HTTP".
package struct BlobRoutes: Sendable {
    /// Where the routes are; what has no path is not served.
    package struct Paths: Sendable {
        /// Uploads in parts, each below this path under its id.
        package var uploads: String?
        /// Uploads in one request.
        package var upload: String?
        /// Blobs by signed addresses, each below this path under its key.
        package var media: String?

        package init(uploads: String? = nil, upload: String? = nil, media: String? = nil) {
            self.uploads = uploads
            self.upload = upload
            self.media = media
        }
    }

    /// The owner of what a request brings, by the feature's name; nil for a stranger.
    package typealias Asker = @Sendable (RouteRequest) async throws -> String?

    /// Enough for the largest file on a slow line.
    static let duration = Duration.seconds(3600)
    /// Bytes of a form around its file.
    static let formOverhead: Int64 = 64 << 10

    let store: BlobStore
    let paths: Paths
    let asker: Asker
    let answers: BlobAnswers
    private let signer: AddressSigner?

    /// - Parameter signer: For `paths.media`, which is not served without one.
    package init(
        _ store: BlobStore,
        paths: Paths,
        signer: AddressSigner? = nil,
        answers: BlobAnswers = .plain,
        asker: @escaping Asker
    ) {
        self.store = store
        self.paths = paths
        self.signer = signer
        self.answers = answers
        self.asker = asker
    }

    /// - Throws: `RouteError`.
    package func routes() throws -> [HTTPRoute] { try uploadRoutes() + wholeUploadRoutes() + mediaRoutes() }

    private func mediaRoutes() throws -> [HTTPRoute] {
        guard let path = paths.media, let signer else { return [] }
        return try [.get, .head].map { method in
            try HTTPRoute(method, "\(path)/{key...}", duration: Self.duration) { request, _ in
                await answering {
                    let text = request.parameters["key"] ?? ""
                    // Whether there is such a blob is for those to know who were given its address.
                    _ = try signer.check(text, request)
                    guard let key = BlobKey(text) else { throw BlobError.unknownObject }
                    let blob = try await store.open(key)
                    guard !blob.isReadOnce else { throw BlobError.unknownObject }
                    return blob.answer(request)
                }
            }
        }
    }

    /// The largest that any kind takes.
    var byteLimit: Int64 { store.kinds.values.map(\.byteLimit).max() ?? 0 }

    func owner(of request: RouteRequest) async throws -> String {
        guard let owner = try await asker(request) else { throw BlobError.notSignedIn }
        return owner
    }

    /// - Throws: What is not about blobs: a body that is too long or breaks off, which the server answers, and what the asker throws.
    func refusing(_ body: () async throws -> HTTPRouteResponse) async throws -> HTTPRouteResponse {
        do {
            return try await body()
        } catch let error as BlobError {
            return refusal(error)
        }
    }

    private func answering(_ body: () async throws -> HTTPRouteResponse) async -> HTTPRouteResponse {
        do {
            return try await body()
        } catch let error as BlobError {
            return refusal(error)
        } catch {
            return refusal(.failed(reason: "\(error)"))
        }
    }

    private func refusal(_ error: BlobError) -> HTTPRouteResponse {
        let response = answers.refusal(error)
        guard case .wrongOffset(let expected) = error else { return response }
        return response.adding([("Upload-Offset", "\(expected)")])
    }
}

extension HTTPRouteResponse {
    /// A copy with more fields in its head.
    func adding(_ more: [(name: String, value: String)]) -> HTTPRouteResponse {
        HTTPRouteResponse(status: status, fields: fields + more, body: body)
    }
}
