package import Accounts
package import Kernel
package import Logging
import Storage
package import Transport

/// Answers in OpenIM's envelope, of accounts and of what else a hub serves to the same clients.
extension HTTPRouteResponse {
    /// - Parameter failure: Its code's status becomes the answer's.
    package static func im(_ failure: IMFailure, retryAfter: Int? = nil) -> HTTPRouteResponse {
        im(IMEnvelope(failure), status: failure.code.status, retryAfter: retryAfter)
    }

    package static func im(_ data: JSONValue) -> HTTPRouteResponse {
        im(IMEnvelope(data), status: 200, retryAfter: nil)
    }

    private static func im(_ envelope: IMEnvelope, status: Int, retryAfter: Int?) -> HTTPRouteResponse {
        var members: [String: JSONValue] = [
            "errCode": .integer(Int64(envelope.errCode.rawValue)), "errMsg": .string(envelope.errMsg),
            "errDlt": .string(envelope.errDlt),
        ]
        if let data = envelope.data { members["data"] = data }
        // Tokens are in some of them.
        var fields = [(name: "Content-Type", value: "application/json"), (name: "Cache-Control", value: "no-store")]
        if let retryAfter { fields.append((name: "Retry-After", value: "\(retryAfter)")) }
        return HTTPRouteResponse(status: status, fields: fields, body: .bytes(JSONValue.object(members).canonicalBytes))
    }
}

extension HTTPRoute {
    /// A route that takes a JSON object by POST and answers in OpenIM's envelope, errors too.
    ///
    /// - Parameter answer: What it throws is told with its code (``IMClassifiedError``), as a full disk or as a database's error, and
    ///   otherwise as an internal error, which is logged.
    /// - Throws: `RouteError`.
    package static func im(
        _ path: String,
        maximumBodyBytes: Int,
        logger: Logger,
        answer: @escaping @Sendable (RouteRequest, JSONValue) async throws -> JSONValue
    ) throws(RouteError) -> HTTPRoute {
        try HTTPRoute(.post, path, maximumBodyBytes: maximumBodyBytes) { request, body in
            let bytes = try await body.collect()
            guard let json = try? JSONValue(parsing: bytes), case .object = json else {
                return .im(IMFailure(.badArguments, detail: "The body is no JSON object."))
            }
            do {
                return .im(try await answer(request, json))
            } catch {
                return failure(StorageError.telling(error), of: path, logger)
            }
        }
    }

    private static func failure(_ error: any Error, of path: String, _ logger: Logger) -> HTTPRouteResponse {
        switch error {
        case let error as any IMClassifiedError:
            return .im(IMFailure(error.imCode, detail: "\(error)"), retryAfter: error.retryAfter)
        case StorageError.diskFull:
            return .im(IMFailure(.insufficientStorage, detail: "The hub's disk is full. Ask its operator."))
        case let error as StorageError:
            logger.error("a request was not written down", metadata: ["path": "\(path)", "reason": "\(error)"])
            return .im(IMFailure(.databaseError, detail: "The hub could not write that down. Try again later."))
        default:
            logger.error("a request failed", metadata: ["path": "\(path)", "reason": "\(error)"])
            return .im(IMFailure(.internalError, detail: "The hub failed at this. Try again later."))
        }
    }
}
