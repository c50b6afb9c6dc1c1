package import Accounts
package import Kernel
package import Logging
import Storage
package import Transport

/// Answers in OpenIM's envelope, of accounts and of what else a hub serves to the same clients.
extension HTTPRouteResponse {
    /// - Parameters:
    ///   - isPlain: Whether the answer's status is 200 and only the envelope says what happened; otherwise it is that of the code.
    package static func im(
        _ failure: IMFailure,
        retryAfter: Int? = nil,
        isPlain: Bool = false
    ) -> HTTPRouteResponse {
        im(IMEnvelope(failure), status: isPlain ? 200 : failure.code.status, retryAfter: retryAfter)
    }

    package static func im(_ data: JSONValue) -> HTTPRouteResponse {
        im(IMEnvelope(data), status: 200, retryAfter: nil)
    }

    private static func im(_ envelope: IMEnvelope, status: Int, retryAfter: Int?) -> HTTPRouteResponse {
        var members: [String: JSONValue] = [
            "errCode": .integer(Int64(envelope.errCode.rawValue)), "errMsg": .string(envelope.errMsg),
            "errDlt": .string(envelope.errDlt),
        ]
        if let reason = envelope.reason { members["reason"] = .string(reason) }
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
    /// - Parameters:
    ///   - isPlain: Whether refusals have status 200, as at OpenIM's servers: its clients take any other for a server that is not there.
    ///   - answer: What it throws is told with its code (``IMClassifiedError``), as a full disk or as a database's error, and
    ///   otherwise as an internal error, which is logged.
    /// - Throws: `RouteError`.
    package static func im(
        _ path: String,
        maximumBodyBytes: Int,
        isPlain: Bool = false,
        logger: Logger,
        answer: @escaping @Sendable (RouteRequest, JSONValue) async throws -> JSONValue
    ) throws(RouteError) -> HTTPRoute {
        try HTTPRoute(.post, path, maximumBodyBytes: maximumBodyBytes) { request, body in
            let bytes = try await body.collect()
            guard let json = try? JSONValue(parsing: bytes), case .object = json else {
                return .im(IMFailure(.badArguments, detail: "The body is no JSON object."), isPlain: isPlain)
            }
            do {
                return .im(try await answer(request, json))
            } catch {
                return failure(error, of: path, isPlain: isPlain, logger)
            }
        }
    }

    private static func failure(
        _ error: any Error,
        of path: String,
        isPlain: Bool,
        _ logger: Logger
    ) -> HTTPRouteResponse {
        let refusal = IMRefusal(error)
        if refusal.isOwnFault {
            logger.error("a request failed", metadata: ["path": "\(path)", "reason": "\(error)"])
        }
        return .im(refusal.failure, retryAfter: refusal.retryAfter, isPlain: isPlain)
    }
}

/// What a client is told of an error, in the envelope of an answer or in a frame of a socket.
package struct IMRefusal: Sendable {
    package let failure: IMFailure
    /// Seconds after which the same request may succeed; nil where waiting does not help.
    package let retryAfter: Int?
    /// Whether it is for the hub's log.
    package let isOwnFault: Bool

    package init(_ error: any Error) {
        let told = StorageError.telling(error)
        switch told {
        case let error as any IMClassifiedError:
            self.init(
                IMFailure(error.imCode, detail: "\(error)", reason: error.imReason, data: error.data),
                retryAfter: error.retryAfter
            )
        case StorageError.diskFull:
            self.init(IMFailure(.insufficientStorage, detail: "The hub's disk is full. Ask its operator."))
        case StorageError.busy:
            self.init(
                IMFailure(
                    .tooManyRequests,
                    detail: "The hub has too much to write down at the moment. Try again soon."
                ),
                retryAfter: 1
            )
        case is StorageError:
            self.init(
                IMFailure(.databaseError, detail: "The hub could not write that down. Try again later."),
                isOwnFault: true
            )
        default:
            self.init(
                IMFailure(.internalError, detail: "The hub failed at this. Try again later."),
                isOwnFault: true
            )
        }
    }

    private init(_ failure: IMFailure, retryAfter: Int? = nil, isOwnFault: Bool = false) {
        self.failure = failure
        self.retryAfter = retryAfter
        self.isOwnFault = isOwnFault
    }
}
