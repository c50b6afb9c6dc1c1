import AsyncAlgorithms
public import Kernel

/// What every client does around its library: checks, limits of time, the bound of a body, back-pressure, and one end for all of it.
public struct WebExchange: Sendable {
    /// Bytes of an answer's header fields: 64 KiB.
    public static let largestHead = 64 << 10

    /// An answer as a library gives it.
    public struct Opened<Pieces: AsyncSequence & Sendable>: Sendable where Pieces.Element == [UInt8] {
        let status: Int
        let fields: WebFields
        let pieces: Pieces

        /// - Parameter pieces: Reads the network as it is asked.
        public init(status: Int, fields: WebFields, pieces: Pieces) {
            self.status = status
            self.fields = fields
            self.pieces = pieces
        }
    }

    private enum Part<Value: Sendable>: Sendable {
        case value(Value)
        case pumped
    }

    private let request: WebRequest
    private let time: any TimeSource

    public init(_ request: WebRequest, on time: any TimeSource) {
        self.request = request
        self.time = time
    }

    /// - Parameters:
    ///   - open: Sends the request and returns with the answer's head. Its errors are ``WebClientError`` or those of the request's body.
    ///   - describe: Makes a ``WebClientError`` of what the library says while a body comes.
    public func run<Pieces, Value: Sendable>(
        open: @escaping @Sendable (WebWatch) async throws -> Opened<Pieces>,
        describe: @escaping @Sendable (any Error) -> any Error,
        reading read: @escaping @Sendable (WebAnswer) async throws -> Value
    ) async throws -> Value {
        try request.fields.check()
        let watch = WebWatch(request, on: time)
        do {
            return try await withThrowingTaskGroup(of: Value?.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    try await watch.keep()
                    return nil
                }
                group.addTask {
                    let opened = try await open(watch)
                    watch.rests()
                    return try await hand(opened, watch, describe, to: read)
                }
                while let ended = try await group.next() {
                    if let value = ended { return value }
                }
                throw CancellationError()
            }
        } catch {
            // The library's word for a request that was ended is not the reason that counts.
            if Task.isCancelled { throw WebClientError.cancelled }
            throw error
        }
    }

    private func hand<Pieces, Value: Sendable>(
        _ opened: Opened<Pieces>,
        _ watch: WebWatch,
        _ describe: @escaping @Sendable (any Error) -> any Error,
        to read: @escaping @Sendable (WebAnswer) async throws -> Value
    ) async throws -> Value {
        let origin = request.url.origin
        guard opened.fields.byteCount <= Self.largestHead else {
            throw WebClientError.headTooLarge(origin: origin, limit: Self.largestHead)
        }
        let hasBody = request.method != .head && opened.status != 204 && opened.status != 304
        if hasBody, let length = opened.fields["Content-Length"].flatMap({ Int64($0) }), length > request.largestBody {
            throw WebClientError.bodyTooLarge(origin: origin, limit: request.largestBody)
        }
        // A hand-over from one task to the other: the network is read on only when the reader has taken a piece.
        let pieces = AsyncThrowingChannel<[UInt8], any Error>()
        let body = WebAnswerBody {
            var reader = pieces.makeAsyncIterator()
            return try await reader.next()
        }
        let answer = WebAnswer(status: opened.status, fields: opened.fields, body: body)
        return try await withThrowingTaskGroup(of: Part<Value>.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                await pump(opened.pieces, watch, describe, to: pieces)
                return .pumped
            }
            group.addTask { .value(try await read(answer)) }
            while let ended = try await group.next() {
                if case .value(let value) = ended { return value }
            }
            throw CancellationError()
        }
    }

    /// Every failure goes to the reader, who may have all that it needs already.
    private func pump<Pieces: AsyncSequence & Sendable>(
        _ source: Pieces,
        _ watch: WebWatch,
        _ describe: @Sendable (any Error) -> any Error,
        to reader: AsyncThrowingChannel<[UInt8], any Error>
    ) async where Pieces.Element == [UInt8] {
        var count: Int64 = 0
        do {
            watch.waits()
            for try await piece in source where !piece.isEmpty {
                count += Int64(piece.count)
                guard count <= request.largestBody else {
                    throw WebClientError.bodyTooLarge(origin: request.url.origin, limit: request.largestBody)
                }
                watch.rests()
                await reader.send(piece)
                watch.waits()
            }
            watch.rests()
            reader.finish()
        } catch {
            watch.rests()
            reader.fail(Task.isCancelled ? WebClientError.cancelled : describe(error))
        }
    }
}
