import Blobs
import CommandClient
import Commands
import Foundation
import Kernel
import Rights
import Transfers
import Transport

/// Files of computers in a page: their bytes as they are, in both directions, through this device and not onto its disk.
struct FilesPage: Sendable {
    /// The time allowed for one request and its answer, enough for a large file.
    private static let duration = Duration.seconds(86_400)
    private static let sourceLimit = 200
    /// The content types of files shown in place, by file extension. Nothing that a browser would run: no SVG, no HTML.
    private static let pictures = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "bmp": "image/bmp",
    ]
    /// The right that a page is told it lacks.
    static let readingRight = Right.fileRead.rawValue

    let computers: any PairedComputers
    private let time: any TimeSource
    private let downloads: HeldDownloads

    /// - Parameter time: Stands while the machine sleeps, so that no download ends by a sleep.
    init(computers: any PairedComputers, time: any TimeSource = .awake) {
        self.computers = computers
        self.time = time
        downloads = HeldDownloads(time: time)
    }

    /// - Throws: `RouteError`.
    func routes() throws -> [HTTPRoute] {
        [
            try HTTPRoute(.get, "/api/files", duration: Self.duration) { request, _ in
                await answering(.fileRead) { try await download(request) }
            },
            try HTTPRoute(
                .put,
                "/api/files",
                maximumBodyBytes: Int(TransferLimits.fileSize),
                duration: Self.duration
            ) { request, body in
                await answering(.fileWrite) {
                    let path = try await Self.upload(request).run(
                        from: Self.number(request, "offset") ?? 0,
                        body,
                        to: client(request)
                    )
                    return .json(["path": .string(path)])
                }
            },
            try HTTPRoute(.get, "/api/uploads") { request, _ in
                await answering(.fileWrite) {
                    let offset = try await Self.upload(request).offset(at: client(request))
                    return .json(["offset": .integer(offset)])
                }
            },
            try HTTPRoute(.delete, "/api/uploads") { request, _ in
                await answering(.fileWrite) {
                    try await Self.upload(request).cancel(at: client(request))
                    return .json([:])
                }
            },
            try HTTPRoute(.get, "/api/downloads") { request, _ in
                await answering(.fileRead) { .json(try await held(request).status.json) }
            },
            try HTTPRoute(.post, "/api/downloads") { request, _ in
                await answering(.fileRead) { .json(try await steered(request).status.json) }
            },
            try HTTPRoute(.delete, "/api/downloads") { request, _ in
                await answering(.fileRead) {
                    let download = try await held(request)
                    download.cancel()
                    return .json(download.status.json)
                }
            },
        ]
    }

    private func answering(
        _ right: Right,
        _ body: () async throws -> HTTPRouteResponse
    ) async -> HTTPRouteResponse {
        do {
            return try await body()
        } catch StreamedUploadError.wrongOffset(let offset) {
            let failure = FailureReport(StreamedUploadError.wrongOffset(offset))
            return .json(["error": failure.json, "offset": .integer(offset)], status: 409)
        } catch {
            return .failure(FailureReport(error, right: right.rawValue))
        }
    }

    private func client(_ request: RouteRequest) async throws -> FileTransferClient {
        try await FilesFeature.client(computers, request.query("device"))
    }

    // MARK: Up

    private static func upload(_ request: RouteRequest) throws -> StreamedUpload {
        let name = request.query("name") ?? ""
        try FileNameText.check(FileNameText.bytes(name))
        guard let size = try number(request, "size"), size <= TransferLimits.fileSize else {
            throw RemoteError.invalidArgument("size is the file's in bytes")
        }
        guard let source = request.query("upload"), (1...sourceLimit).contains(source.utf8.count) else {
            throw RemoteError.invalidArgument("upload names this version of the file, in at most \(sourceLimit) bytes")
        }
        return StreamedUpload(
            name: name,
            folder: request.query("folder") ?? "",
            size: size,
            source: "page \(source)",
            replaces: request.query("replace") == "1",
            modifiedMilliseconds: try moment(request, "modified")
        )
    }

    private static func number(_ request: RouteRequest, _ name: String) throws -> Int64? {
        guard let text = request.query(name) else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw RemoteError.invalidArgument("\(name) is a number from 0 on")
        }
        return number
    }

    /// Nil also for one that no file is given.
    private static func moment(_ request: RouteRequest, _ name: String) throws -> Int64? {
        guard let text = request.query(name) else { return nil }
        guard let number = Int64(text) else {
            throw RemoteError.invalidArgument("\(name) is a number of milliseconds")
        }
        return TransferLimits.modified.contains(number) ? number : nil
    }

    // MARK: Down

    private func download(_ request: RouteRequest) async throws -> HTTPRouteResponse {
        let path = try Self.path(request)
        let client = try await client(request)
        var held: HeldDownload?
        if let name = try Self.name(request, "download") {
            held = try await opened(name, path, client)
        }
        let first = held?.takeFirst()
        let transfer = if let first { first } else { try await transfer(path, held, client) }
        let tag = transfer.version.map { "\"\(Base64URL.encode($0.utf8))\"" }
        return try RangedAnswer.make(
            request,
            size: transfer.size,
            tag: tag,
            fields: Self.fields(path, isShown: request.query("view") == "1")
        ) { range in try pieces(transfer, range, client, held) }
    }

    private func pieces(
        _ transfer: RemoteTransfer,
        _ range: Range<Int64>,
        _ client: FileTransferClient,
        _ held: HeldDownload?
    ) throws -> @Sendable () async throws -> [UInt8]? {
        guard let held else {
            let stream = FileStream(transfer, range, client: client)
            return { try await stream.next() }
        }
        try held.open(transfer, at: range.lowerBound)
        let body = HeldBody(held, transfer, range, client: client, computers: computers, time: time)
        return { try await body.next() }
    }

    // MARK: Held for the browser's downloads

    private static func name(_ request: RouteRequest, _ parameter: String) throws -> String? {
        guard let name = request.query(parameter) else { return nil }
        guard HeldDownloads.isName(name) else {
            throw RemoteError.invalidArgument("\(parameter) is 1 to 64 letters, digits and hyphens")
        }
        return name
    }

    private static func id(_ request: RouteRequest) throws -> String {
        guard let id = try name(request, "id") else { throw RemoteError.invalidArgument("id names the download") }
        return id
    }

    private static func path(_ request: RouteRequest) throws -> String {
        guard let path = request.query("path"), !path.isEmpty else {
            throw RemoteError.invalidArgument("path names the file")
        }
        return path
    }

    private func held(_ request: RouteRequest) async throws -> HeldDownload {
        try await downloads.known(try Self.id(request))
    }

    /// The download that a page begins, by a path, or holds and lets go on, by a state.
    private func steered(_ request: RouteRequest) async throws -> HeldDownload {
        switch request.query("state") {
        case nil:
            let (id, path) = (try Self.id(request), try Self.path(request))
            return try await entered(id, path, try await client(request))
        case "paused", "running":
            let download = try await held(request)
            download.pause(request.query("state") == "paused")
            return download
        default: throw RemoteError.invalidArgument("state is paused or running")
        }
    }

    /// The download of that name, which is begun where there is none.
    private func entered(_ name: String, _ path: String, _ client: FileTransferClient) async throws -> HeldDownload {
        if let known = await downloads[name] {
            guard known.path == path, known.device == client.desktop else {
                throw RemoteError.invalidArgument("another file has that name")
            }
            return known
        }
        try await downloads.checkRoom(for: name)
        let transfer = try await client.requestDownload(path, version: nil)
        return try await downloads.enter(name, transfer, path, device: client.desktop)
    }

    /// Like ``entered(_:_:_:)``, for a browser that comes for its bytes.
    private func opened(_ name: String, _ path: String, _ client: FileTransferClient) async throws -> HeldDownload {
        let download = try await entered(name, path, client)
        try download.check()
        // One that had ended counts again.
        try await downloads.checkRoom(for: name)
        return download
    }

    /// The transfer that the browser is given; for a download that was cut, of the same version again.
    private func transfer(
        _ path: String,
        _ held: HeldDownload?,
        _ client: FileTransferClient
    ) async throws -> RemoteTransfer {
        guard let held else { return try await client.requestDownload(path, version: nil) }
        do {
            return try await client.requestDownload(path, version: held.version)
        } catch {
            held.failed(error)
            throw error
        }
    }

    /// The header fields that tell the browser to show the file or to save it.
    private static func fields(_ path: String, isShown: Bool) -> [(name: String, value: String)] {
        let name = path.split(separator: "/").last.map(String.init) ?? "file"
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard isShown else {
            return [
                ("Content-Type", "application/octet-stream"), ServedContent.disposition(.attachment, name: name),
            ]
        }
        return [
            ("Content-Type", pictures[ending] ?? "text/plain; charset=utf-8"),
            ServedContent.disposition(.inline, name: name), ("Content-Security-Policy", ServedContent.policy),
        ]
    }
}
