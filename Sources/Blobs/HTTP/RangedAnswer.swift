package import Transport

/// The answer to a request for a body of known size: all of it, the one range that is asked for, or 416 (RFC 9110, sections 13.1.5 and 14).
package enum RangedAnswer {
    /// - Parameters:
    ///   - size: The body's, in bytes.
    ///   - tag: Its entity tag, with the quotation marks; nil where no version of it is known.
    ///   - fields: Of an answer that has a body, beside those of the range.
    ///   - pieces: Begins a range of the body. Not called for 416.
    /// - Throws: What `pieces` throws.
    package static func make(
        _ request: RouteRequest,
        size: Int64,
        tag: String?,
        fields: [(name: String, value: String)],
        pieces: (Range<Int64>) throws -> @Sendable () async throws -> [UInt8]?
    ) rethrows -> HTTPRouteResponse {
        var fields = fields
        fields.append(("Accept-Ranges", "bytes"))
        if let tag { fields.append(("ETag", tag)) }
        // Only the same version goes on.
        let isSame = request.header("If-Range").map { $0 == tag } ?? true
        guard let wanted = isSame ? request.header("Range").flatMap(ByteRangeField.init) : nil else {
            return HTTPRouteResponse(
                status: 200,
                fields: fields,
                body: .pieces(length: Int(size), next: try pieces(0..<size))
            )
        }
        guard let range = wanted.range(of: size) else {
            return HTTPRouteResponse(status: 416, fields: [("Content-Range", "bytes */\(size)")])
        }
        fields.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
        return HTTPRouteResponse(
            status: 206,
            fields: fields,
            body: .pieces(length: range.count, next: try pieces(range))
        )
    }
}
