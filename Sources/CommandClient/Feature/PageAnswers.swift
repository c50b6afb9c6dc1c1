package import Commands
package import Kernel
package import Transport

/// Answers to a page, which reads JSON and codes of failures.
extension HTTPRouteResponse {
    /// A JSON value as the body.
    package static func json(_ value: JSONValue, status: Int = 200) -> HTTPRouteResponse {
        HTTPRouteResponse(
            status: status,
            fields: [("Content-Type", "application/json; charset=utf-8")],
            body: .bytes(value.canonicalBytes)
        )
    }

    /// - Parameter status: In place of the one that fits the failure.
    package static func failure(_ failure: FailureReport, status: Int? = nil) -> HTTPRouteResponse {
        .json(["error": failure.json], status: status ?? failure.status)
    }
}
