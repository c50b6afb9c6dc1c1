import Transport

/// Uploads that come whole in one request: as its body, or as the file of a form, which documented clients send.
extension BlobRoutes {
    /// The names of the form's field that says the kind.
    private static let kindFields: Set = ["type", "kind"]
    /// Bytes of that field at most.
    private static let kindLimit = 64

    func wholeUploadRoutes() throws -> [HTTPRoute] {
        guard let path = paths.upload else { return [] }
        let limit = Int(byteLimit + Self.formOverhead)
        return [
            try HTTPRoute(.post, path, maximumBodyBytes: limit, duration: Self.duration) { request, body in
                try await refusing { try await receive(request, body) }
            }
        ]
    }

    private func receive(_ request: RouteRequest, _ body: HTTPRequestBody) async throws -> HTTPRouteResponse {
        let owner = try await owner(of: request)
        let bound = request.header("Content-Length").flatMap { Int64($0) }
        var pieces = body.makeAsyncIterator()
        guard let reader = request.header("Content-Type").flatMap(MultipartReader.init) else {
            let kind = try Self.kind(request.query("type"))
            return answer(
                try await store.receive(kind, of: owner, bound: bound) { try await pieces.next()?[...] }
            )
        }
        var form = FormFile(reader) { try await pieces.next() }
        let kind = try await form.begin(kind: request.query("type"))
        let object = try await store.receive(kind, of: owner, bound: bound) { try await form.next() }
        return answer(object)
    }

    /// The one file of a form, and the kind, which stands in the address or in a field before the file.
    private struct FormFile {
        private var reader: MultipartReader
        private let source: () async throws -> [UInt8]?
        private var events: ArraySlice<MultipartReader.Event> = []

        init(_ reader: MultipartReader, source: @escaping () async throws -> [UInt8]?) {
            self.reader = reader
            self.source = source
        }

        /// Reads up to the file.
        ///
        /// - Throws: ``BlobError/malformedRequest(_:)``.
        mutating func begin(kind known: String?) async throws -> String {
            var kind = known
            /// The bytes of the field that says the kind, while it comes.
            var field: [UInt8]?
            while let event = try await event() {
                switch event {
                case .begin(_, true): return try BlobRoutes.kind(kind)
                case .begin(let name?, false) where BlobRoutes.kindFields.contains(name): field = []
                case .begin: field = nil
                case .bytes(let bytes):
                    guard let begun = field else { continue }
                    guard begun.count + bytes.count <= BlobRoutes.kindLimit else {
                        throw BlobError.malformedRequest("type is too long")
                    }
                    field = begun + bytes
                case .end:
                    if let field { kind = kind ?? String(decoding: field, as: UTF8.self) }
                    field = nil
                }
            }
            throw BlobError.malformedRequest("the form has no file")
        }

        /// Further bytes of the file; nil at its end.
        ///
        /// - Throws: ``BlobError/malformedRequest(_:)`` where the form ends before the file does.
        mutating func next() async throws -> ArraySlice<UInt8>? {
            switch try await event() {
            case .bytes(let bytes): return bytes
            case .end: return nil
            case .begin, nil: throw BlobError.malformedRequest("the form ends before its file does")
            }
        }

        /// Nil at the end of the form.
        private mutating func event() async throws -> MultipartReader.Event? {
            while true {
                if let event = events.popFirst() { return event }
                guard !reader.isAtEnd, let bytes = try await source() else { return nil }
                events = try reader.take(bytes)[...]
            }
        }
    }
}
