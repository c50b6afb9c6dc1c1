import Kernel
package import Transport

/// Answers with a blob as the body. A browser shows what is of a type that was sniffed, saves everything else, and runs nothing.
extension OpenBlob {
    /// All of it or a range, with an entity tag; 304 where the client has it.
    ///
    /// The same key is always the same bytes, so a browser may keep them for as long as an address is good.
    package func answer(_ request: RouteRequest) -> HTTPRouteResponse {
        let tag = "\"\(Base64URL.encode(object.sha256))\""
        let cache = ("Cache-Control", "private, max-age=86400, immutable")
        if let known = request.header("If-None-Match"), Self.isListed(tag, in: known) {
            return HTTPRouteResponse(status: 304, fields: [("ETag", tag), cache])
        }
        let isHead = request.method == HTTPRoute.Method.head.rawValue
        return RangedAnswer.make(request, size: object.size, tag: tag, fields: fields + [cache]) { range in
            guard !isHead else { return { nil } }
            return pieces(range)
        }
    }

    /// All of it, once: no range, and nothing may be kept of it.
    ///
    /// - Parameter beforeEnd: As of ``SingleUseBody``. The file is open then: it may be removed.
    package func singleAnswer(beforeEnd: @escaping @Sendable () async throws -> Void) -> HTTPRouteResponse {
        let body = SingleUseBody(self, beforeEnd: beforeEnd)
        return HTTPRouteResponse(
            fields: fields + [("Cache-Control", "no-store")],
            body: .pieces(length: Int(object.size)) { try await body.next() }
        )
    }

    private var fields: [(name: String, value: String)] {
        [
            ("Content-Type", object.type?.rawValue ?? "application/octet-stream"),
            ServedContent.disposition(object.type == nil ? .attachment : .inline, name: object.key.name),
            ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", ServedContent.policy),
        ]
    }

    /// Whether `If-None-Match` names the tag (RFC 9110, section 13.1.2), which compares weakly.
    private static func isListed(_ tag: String, in field: String) -> Bool {
        field.split(separator: ",").contains { item in
            let item = item.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return item == "*" || item == tag || item == "W/" + tag
        }
    }
}
