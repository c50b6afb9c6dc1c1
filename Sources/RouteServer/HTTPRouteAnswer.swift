package import HTTPTypes
package import HummingbirdCore
package import NIOCore
import Synchronization
package import Transport

/// Translates between a feature's values and those of the HTTP server.
package enum HTTPRouteAnswer {
    /// - Parameters:
    ///   - clientAddress: In numbers; nil where there is none.
    ///   - channel: The client's connection.
    /// - Throws: What the feature throws, but for a body that is too long, which is answered.
    package static func answer(
        _ request: Request,
        by route: HTTPRoute,
        parameters: [String: String],
        clientAddress: String?,
        channel: any Channel
    ) async throws -> Response {
        let length = request.headers[.contentLength].flatMap(Int.init) ?? 0
        guard length <= route.maximumBodyBytes else { return tooLarge(route) }
        let body = BodySource(request.body)
        var details = RouteRequest(
            method: route.method.rawValue,
            target: request.uri.string,
            parameters: parameters,
            host: request.head.authority ?? "",
            clientAddress: clientAddress,
            fields: request.headers.map { ($0.name.rawName, $0.value) }
        )
        details.hasLeft = { await hasLeft(channel) }
        do {
            let answer = try await route.handler(
                details,
                HTTPRequestBody(limit: route.maximumBodyBytes) { try await body.next() }
            )
            return response(answer)
        } catch RouteError.bodyTooLarge {
            return tooLarge(route)
        }
    }

    /// How often a connection is looked at that still has bytes to send: none of its events tells of it to who has no place in its pipeline.
    private static let look = Duration.milliseconds(10)

    private static func hasLeft(_ channel: any Channel) async -> Bool {
        while channel.isActive {
            // Behind the writes that wait for the loop.
            guard let isWritable = try? await channel.eventLoop.submit({ channel.isWritable }).get() else {
                return false
            }
            if isWritable { return channel.isActive }
            guard (try? await Task.sleep(for: look)) != nil else { return false }
        }
        return false
    }

    package static func plain(_ status: HTTPResponse.Status, fields: HTTPFields = [:]) -> Response {
        var fields = fields
        fields[.contentType] = "text/plain"
        return Response(
            status: status,
            headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(string: status.reasonPhrase))
        )
    }

    /// Refuses a body that is too long. The rest of it is not read: the connection ends with the answer.
    private static func tooLarge(_ route: HTTPRoute) -> Response {
        plain(.contentTooLarge, fields: [.connection: "close"])
    }

    /// A feature's answer as the HTTP library's.
    package static func response(_ answer: HTTPRouteResponse) -> Response {
        // A feature's mistake must not end the server: the HTTP library stops the process at an interim status here.
        guard (200...599).contains(answer.status) else { return plain(.internalServerError) }
        var fields = HTTPFields()
        for field in answer.fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            fields.append(HTTPField(name: name, value: field.value))
        }
        let body =
            switch answer.body {
            case .bytes(let bytes): ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            case .pieces(let length, let next):
                ResponseBody(contentLength: length) { writer in
                    while let piece = try await next() { try await writer.write(ByteBuffer(bytes: piece)) }
                    try await writer.finish(nil)
                }
            }
        return Response(status: .init(code: answer.status), headers: fields, body: body)
    }
}

/// A request's body for one reader at a time.
///
/// Sendable because `isBusy` lets one call at a time touch the iterator.
private final class BodySource: @unchecked Sendable {
    private var iterator: RequestBody.AsyncIterator
    private let isBusy = Atomic(false)

    init(_ body: RequestBody) { iterator = body.makeAsyncIterator() }

    func next() async throws -> [UInt8]? {
        guard isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged else {
            throw RouteError.bodyReadTwice
        }
        defer { isBusy.store(false, ordering: .releasing) }
        return try await iterator.next().map { Array($0.readableBytesView) }
    }
}
