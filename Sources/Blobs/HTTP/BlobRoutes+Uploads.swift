import Kernel
import Transport

/// Uploads in parts, after the manner of tus: a client creates one, sends bytes from an offset on, asks for the offset when it does not know how
/// far it came, and completes it.
extension BlobRoutes {
    func uploadRoutes() throws -> [HTTPRoute] {
        guard let path = paths.uploads else { return [] }
        return [
            try HTTPRoute(.post, path) { request, _ in
                try await refusing { try await create(request, path) }
            },
            try HTTPRoute(.get, "\(path)/{id}") { request, _ in
                try await refusing { answer(try await known(request)) }
            },
            try HTTPRoute(.head, "\(path)/{id}") { request, _ in
                try await refusing {
                    let upload = try await known(request)
                    return HTTPRouteResponse(fields: fields(upload))
                }
            },
            try HTTPRoute(
                .patch,
                "\(path)/{id}",
                maximumBodyBytes: Int(byteLimit),
                duration: Self.duration
            ) { request, body in
                try await refusing { try await append(request, body) }
            },
            try HTTPRoute(.post, "\(path)/{id}") { request, _ in
                try await refusing { try await complete(request) }
            },
            try HTTPRoute(.delete, "\(path)/{id}") { request, _ in
                try await refusing {
                    try await store.cancelUpload(Self.id(request), of: owner(of: request))
                    return answers.success([:], 200)
                }
            },
        ]
    }

    private func create(_ request: RouteRequest, _ path: String) async throws -> HTTPRouteResponse {
        let owner = try await owner(of: request)
        guard let size = try Self.number(request.query("size") ?? request.header("Upload-Length"), "size") else {
            throw BlobError.malformedRequest("size says how many bytes follow, also as the field Upload-Length")
        }
        let upload = try await store.beginUpload(try Self.kind(request.query("type")), size: size, of: owner)
        return answer(upload, status: 201).adding([("Location", "\(path)/\(upload.id)")])
    }

    private func known(_ request: RouteRequest) async throws -> BlobUpload {
        try await store.upload(Self.id(request), of: owner(of: request))
    }

    private func append(_ request: RouteRequest, _ body: HTTPRequestBody) async throws -> HTTPRouteResponse {
        let owner = try await owner(of: request)
        guard let offset = try Self.number(request.header("Upload-Offset") ?? request.query("offset"), "offset") else {
            throw BlobError.malformedRequest("the field Upload-Offset says where its bytes belong")
        }
        var pieces = body.makeAsyncIterator()
        let end = try await store.append(to: Self.id(request), of: owner, at: offset) { try await pieces.next()?[...] }
        return HTTPRouteResponse(
            status: 204,
            fields: [("Upload-Offset", "\(end)"), ("Cache-Control", "no-store")]
        )
    }

    private func complete(_ request: RouteRequest) async throws -> HTTPRouteResponse {
        let owner = try await owner(of: request)
        var checksum: [UInt8]?
        if let text = request.query("sha256") {
            guard let bytes = Hexadecimal.decode(text), bytes.count == 32 else {
                throw BlobError.malformedRequest("sha256 is 64 hexadecimal digits")
            }
            checksum = bytes
        }
        return answer(try await store.completeUpload(Self.id(request), of: owner, sha256: checksum))
    }

    // MARK: Answers

    private func answer(_ upload: BlobUpload, status: Int = 200) -> HTTPRouteResponse {
        var value: [String: JSONValue] = [
            "uploadID": .string(upload.id), "type": .string(upload.kind), "size": .integer(upload.size),
            "offset": .integer(upload.offset),
        ]
        value["objectKey"] = upload.key.map { .string($0.description) }
        return answers.success(.object(value), status).adding(fields(upload))
    }

    private func fields(_ upload: BlobUpload) -> [(name: String, value: String)] {
        [("Upload-Offset", "\(upload.offset)"), ("Upload-Length", "\(upload.size)"), ("Cache-Control", "no-store")]
    }

    func answer(_ object: BlobObject) -> HTTPRouteResponse {
        var value: [String: JSONValue] = [
            "objectKey": .string(object.key.description), "size": .integer(object.size),
            "sha256": .string(Hexadecimal.encode(object.sha256)),
        ]
        value["contentType"] = object.type.map { .string($0.rawValue) }
        if let size = object.pictureSize {
            value["width"] = .integer(Int64(size.width))
            value["height"] = .integer(Int64(size.height))
        }
        return answers.success(.object(value), 200)
    }

    // MARK: Parameters

    static func id(_ request: RouteRequest) -> String { request.parameters["id"] ?? "" }

    static func kind(_ name: String?) throws(BlobError) -> String {
        guard let name else { throw .malformedRequest("type says what kind of file it is") }
        return name
    }

    private static func number(_ text: String?, _ name: String) throws(BlobError) -> Int64? {
        guard let text else { return nil }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else {
            throw .malformedRequest("\(name) is a number of bytes")
        }
        return number
    }
}
