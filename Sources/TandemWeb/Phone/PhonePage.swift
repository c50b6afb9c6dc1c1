package import Foundation
import Kernel
package import Transport

/// The page that makes a browser a phone, beside a signaling server's relay. Where a browser could not seal on it, a page without scripts says why
/// and what helps.
package struct PhonePage: Sendable {
    static let work = BlockingWork("tandem.phone", width: 1)

    private let place: PhonePlace
    private let bundle: OnceMade<PhoneBundle>

    /// - Parameters:
    ///   - folder: The page's own files; nil where they are not installed.
    ///   - bundles: Folders in which a bundle of these files may be, which is served in their place.
    ///   - terminal: The files that draw its terminal.
    ///   - version: Tandem's.
    package init(
        at place: PhonePlace,
        files folder: URL?,
        bundles: [URL] = [],
        terminal: TerminalFiles?,
        version: String
    ) {
        self.place = place
        bundle = OnceMade {
            try await Self.work.finish {
                PhoneBundle(files: folder, bundles: bundles, terminal: terminal, version: version)
            }
        }
    }

    /// - Throws: `RouteError`, which it never does.
    package func routes() throws(RouteError) -> [HTTPRoute] {
        [
            try HTTPRoute(.get, "/phone") { _, _ in
                HTTPRouteResponse(status: 308, fields: [("Location", PhonePlace.path)])
            },
            try HTTPRoute(.get, PhonePlace.path) { request, _ in try await answer(request, "") },
            try HTTPRoute(.get, PhonePlace.path + "{file...}") { request, _ in
                try await answer(request, request.parameters["file"] ?? "")
            },
        ]
    }

    /// - Parameter path: Below the page's address.
    private func answer(_ request: RouteRequest, _ path: String) async throws -> HTTPRouteResponse {
        guard place.url(at: request.host) != nil else {
            guard path.isEmpty else { return .text("Why nothing is served here: \(PhonePlace.path)\n", status: 404) }
            return PlainAddressNotice.response(to: request)
        }
        let bundle = try await bundle.value()
        guard bundle.isComplete else { return Self.missing }
        guard let file = bundle.files[path] else { return .text("The page has no such file.\n", status: 404) }
        return Self.answer(request, with: file)
    }

    private static func answer(_ request: RouteRequest, with file: PhoneBundle.File) -> HTTPRouteResponse {
        let isCompressed = request.header("Accept-Encoding")?.contains("gzip") == true && file.compressed != nil
        let tag = "\"\(file.hash)\(isCompressed ? "-gzip" : "")\""
        // Who names a file's hash wants that version, which never changes.
        let isForGood = request.query("sha256") == file.hash
        let caching = isForGood ? "public, max-age=31536000, immutable" : "no-cache"
        let fields = PhoneHeaders.page + [("Cache-Control", caching), ("ETag", tag), ("Vary", "Accept-Encoding")]
        guard request.header("If-None-Match") != tag else { return HTTPRouteResponse(status: 304, fields: fields) }
        return HTTPRouteResponse(
            fields: fields + [("Content-Type", file.type)] + (isCompressed ? [("Content-Encoding", "gzip")] : []),
            body: .bytes(isCompressed ? file.compressed ?? file.bytes : file.bytes)
        )
    }

    private static let missing = HTTPRouteResponse.text(
        "The page's files are not installed here. Install them with bin/install, or name their folder: TANDEM_PAGE_FILES=DIR\n",
        status: 503
    )
}
