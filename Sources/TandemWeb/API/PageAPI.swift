import CommandClient
import Commands
import Control
import Kernel
import QRCodes
import Rights
import Transport

/// The API of the page: the same methods as the command line, codes to show and codes in pictures.
struct PageAPI: Sendable {
    static let callBytes = 16 << 20
    static let pictureBytes = 8 << 20
    private static let textBytes = 16 << 10
    /// The time of the longest method.
    private static let callTime = Duration.seconds(2 * 3600)

    let configuration: PageConfiguration
    let control: ControlTable
    let assets: AssetTable
    let bound: BoundBrowsers

    func routes() throws(RouteError) -> [HTTPRoute] {
        [
            try route(.get, "/api/hello") { _, _ in try await hello() },
            try route(.get, "/api/methods") { _, _ in methods() },
            try HTTPRoute(.post, "/api/call", maximumBodyBytes: Self.callBytes, duration: Self.callTime) {
                request,
                body in
                await call(body, by: SignIn.Session(name: request.session))
            },
            try route(.post, "/api/qr", bytes: Self.textBytes) { _, body in try await matrix(body) },
            try route(.post, "/api/scan", bytes: Self.pictureBytes) { _, body in try await scan(body) },
        ]
    }

    private func route(
        _ method: HTTPRoute.Method,
        _ path: String,
        bytes: Int = 0,
        _ answer: @escaping @Sendable (RouteRequest, HTTPRequestBody) async throws -> JSONValue
    ) throws(RouteError) -> HTTPRoute {
        try HTTPRoute(method, path, maximumBodyBytes: bytes) { request, body in
            do {
                return .json(try await answer(request, body))
            } catch let error as QRError {
                let report = FailureReport(PictureFailure(error: error))
                return error == .noCode ? .failure(report, status: 422) : .failure(report)
            } catch {
                return .failure(FailureReport(error))
            }
        }
    }

    private func hello() async throws -> JSONValue {
        let status = try await control.handle(ControlRequest(id: 0, method: "status"))
        let id = status["did"]?.stringValue ?? status["deviceId"]?.stringValue
        let members: [String: JSONValue?] = [
            "role": .string(configuration.role), "version": .string(configuration.version),
            "name": status["name"] ?? .string(configuration.machineName), "id": id.map(JSONValue.string),
            "deviceId": status["deviceId"], "fingerprint": status["fingerprint"],
            "platform": .string(configuration.platform), "scan": .bool(configuration.scan != nil),
            "assets": ["terminal": .bool(assets.hasTerminal)],
        ]
        return .object(members.compactMapValues(\.self))
    }

    private func methods() -> JSONValue {
        let methods = control.routes.map { route -> JSONValue in
            [
                "name": .string(route.name), "summary": .string(route.summary),
                "follows": .bool(route.needs != .answer),
            ]
        }
        return ["methods": .array(methods)]
    }

    private func call(_ body: HTTPRequestBody, by session: SignIn.Session?) async -> HTTPRouteResponse {
        var method = ""
        var params: JSONValue = .object([:])
        do {
            let request = try await Self.json(body)
            guard let name = request["method"]?.stringValue else {
                throw PageError.malformedRequest("the name of a method")
            }
            method = name
            params = request["params"] ?? params
            try await bound.note(method, params, of: session)
            return .json(["result": try await control.handle(.init(id: 0, method: method, params: params))])
        } catch {
            return .failure(failure(error, method, params))
        }
    }

    /// A failure of a method, with the right that it needs, or that the method needs which it calls at the other device.
    func failure(_ error: any Error, _ method: String, _ params: JSONValue) -> FailureReport {
        let called = params["method"]?.stringValue.flatMap(configuration.right)
        return FailureReport(error, right: control.right(of: method)?.rawValue ?? called)
    }

    private func matrix(_ body: HTTPRequestBody) async throws -> JSONValue {
        guard let text = try await Self.json(body)["text"]?.stringValue else {
            throw PageError.malformedRequest("a text")
        }
        guard let codes = configuration.codes else { throw PageError.noScanner }
        let matrix = try codes.code(for: text)
        let rows = (0..<matrix.side).map { row -> JSONValue in
            .string(String((0..<matrix.side).map { matrix.isDark(column: $0, row: row) ? "1" : "0" }))
        }
        return ["size": .integer(Int64(matrix.side)), "rows": .array(rows)]
    }

    private func scan(_ body: HTTPRequestBody) async throws -> JSONValue {
        guard let scan = configuration.scan else { throw PageError.noScanner }
        let picture: [UInt8]
        do {
            picture = try await body.collect()
        } catch RouteError.bodyTooLarge(let limit) {
            throw PageError.pictureTooLarge(limit: limit)
        }
        guard !picture.isEmpty else { throw PageError.noPicture }
        return ["text": .string(try await scan(picture))]
    }

    private static func json(_ body: HTTPRequestBody) async throws -> JSONValue {
        let bytes = try await body.collect()
        do {
            return try JSONValue(parsing: bytes)
        } catch is DecodingError {
            throw PageError.malformedRequest("a JSON object")
        }
    }
}
