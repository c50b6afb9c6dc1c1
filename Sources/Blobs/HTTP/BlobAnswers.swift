import Commands
package import Kernel
package import Transport

/// The form in which a feature's clients are answered. The fields of the head that a client needs are added to it.
package struct BlobAnswers: Sendable {
    package var success: @Sendable (_ value: JSONValue, _ status: Int) -> HTTPRouteResponse
    package var refusal: @Sendable (BlobError) -> HTTPRouteResponse

    package init(
        success: @escaping @Sendable (_ value: JSONValue, _ status: Int) -> HTTPRouteResponse,
        refusal: @escaping @Sendable (BlobError) -> HTTPRouteResponse
    ) {
        self.success = success
        self.refusal = refusal
    }

    /// The value itself; of a refusal an object `error` with `code`, `message` and, where there is one, `reason`.
    package static let plain = BlobAnswers { value, status in
        json(value, status)
    } refusal: { error in
        json(.object(["error": FailureReport(error).json]), error.status)
    }

    private static func json(_ value: JSONValue, _ status: Int) -> HTTPRouteResponse {
        HTTPRouteResponse(
            status: status,
            fields: [("Content-Type", "application/json; charset=utf-8"), ("Cache-Control", "no-store")],
            body: .bytes(value.canonicalBytes)
        )
    }
}
