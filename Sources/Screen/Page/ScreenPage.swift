import CommandClient
import Commands
import Kernel
import Pictures
import Rights
import Transport

/// A picture of a computer's display for a page, as it is.
enum ScreenPage {
    /// - Throws: `RouteError`.
    static func route(_ computers: any PairedComputers) throws -> HTTPRoute {
        try HTTPRoute(.get, "/api/screen") { request, _ in
            do {
                let screen = ScreenClient(try await computers.peer(named: request.query("device")))
                return answer(try await screen.screenshot(try query(request)))
            } catch {
                return .failure(FailureReport(error, right: Right.display.rawValue))
            }
        }
    }

    private static func query(_ request: RouteRequest) throws -> ScreenshotQuery {
        var query = ScreenshotQuery(format: .jpeg)
        if let display = try number(request, "display", in: 0...255) { query.displayID = display }
        if let text = request.query("format") {
            guard let format = PictureFormat(rawValue: text == "jpg" ? "jpeg" : text) else {
                throw RemoteError.invalidArgument("format is jpeg or png")
            }
            query.format = format
        }
        if let quality = try number(request, "quality", in: 1...100) { query.quality = quality }
        query.maxWidth = try number(request, "maxWidth", in: ScreenshotQuery.widths)
        return query
    }

    static func number(_ request: RouteRequest, _ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = request.query(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw RemoteError.invalidArgument("\(name) is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func answer(_ picture: Screenshot) -> HTTPRouteResponse {
        // A format that is not known is not drawn as one: the browser is told to guess nothing.
        let type = picture.format.map { "image/\($0.rawValue)" } ?? "application/octet-stream"
        var fields = [
            ("Content-Type", type), ("Tandem-Width", "\(picture.dimensions.width)"),
            ("Tandem-Height", "\(picture.dimensions.height)"), ("Tandem-Display-Width", "\(picture.original.width)"),
            ("Tandem-Display-Height", "\(picture.original.height)"),
        ]
        if let time = picture.timestamp { fields.append(("Tandem-Time", "\(time)")) }
        return HTTPRouteResponse(fields: fields, body: .bytes(picture.bytes))
    }
}
