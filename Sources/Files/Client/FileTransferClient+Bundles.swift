import Commands
import Crypto
import Foundation
import Kernel
import Transfers

/// Contents of small files that travel apart from their exchange, as one body in parts, over the way that parts of files take. Source:
/// `docs/protocol.md`, "Many small files".
extension FileTransferClient {
    /// Parts of one body that are under way at a time.
    private static let partsAtATime = 8
    /// The limit for the first of an upload's two requests, which looks at names only.
    private static let announcingTime: Duration = .seconds(30)

    /// What a computer takes or gives together, as far as this device has a way for it.
    nonisolated func terms(_ said: BatchTerms?) -> BatchTerms? { link == nil ? said?.withoutBundles : said }

    /// Announces files, sends the contents of those that are wanted, and has them get their names.
    ///
    /// - Returns: Each file's outcome.
    /// - Throws: ``RemoteFailure``; ``TransferError``.
    func sendBundle(_ files: [WholeFile], to folder: String, _ replacing: Bool) async throws -> [FilesUploaded.Outcome]
    {
        let method = FileMethods.uploadFiles
        let announced = try await call(
            method,
            UploadFiles(announcing: files, in: folder, replacing: replacing),
            timeout: Self.announcingTime
        )
        guard announced.files.count == files.count else { throw TransferError.malformedAnswer(method: method.name) }
        let wanted = announced.files.indices.filter { announced.files[$0] == .wanted }
        guard !wanted.isEmpty else { return announced.files }
        guard let link, let text = announced.transferID, let id = TransferID(text: text) else {
            throw TransferError.malformedAnswer(method: method.name)
        }
        let body = wanted.flatMap { files[$0].content }
        let brought: [FilesUploaded.Outcome]
        do {
            if announced.offersConnections { dialer?.wish(for: id) }
            try await forEach(Self.parts(of: body.count), atATime: Self.partsAtATime) { [window] part in
                try await window.with(part.count) {
                    try await link.send(part.count, at: Int64(part.lowerBound), of: id) { Array(body[part]) }
                }
            } take: { _ in
            }
            let done = UploadFiles(arrived: text, in: folder)
            brought = try await call(method, done, timeout: Self.batchTime).files
        } catch {
            await cancel(text)
            throw error
        }
        guard brought.count == wanted.count else { throw TransferError.malformedAnswer(method: method.name) }
        var outcomes = announced.files
        for (index, outcome) in zip(wanted, brought) { outcomes[index] = outcome }
        return outcomes
    }

    /// Asks for files, and fetches their contents.
    ///
    /// - Returns: Each file's outcome, with its bytes.
    /// - Throws: ``RemoteFailure``; ``TransferError``.
    func fetchBundle(_ names: [String], from folder: String) async throws -> [FilesDownloaded.Outcome] {
        let method = FileMethods.downloadFiles
        let params = DownloadFiles(folder: folder, names: names, bundled: true)
        let answer = try await call(method, params, timeout: Self.batchTime)
        let sizes = answer.files.map { if case .bundled(let size, _, _) = $0 { size } else { 0 } }
        let total = sizes.reduce(0, +)
        // Nothing is allocated for more than was agreed on.
        guard answer.files.count == names.count, total <= Int(BatchTerms.bundleLimit) else {
            throw TransferError.malformedAnswer(method: method.name)
        }
        let body = try await fetchBody(total, of: answer)
        var place = 0
        return zip(answer.files, sizes).map { outcome, size in
            guard case .bundled(_, let permissions, let modified) = outcome else { return outcome }
            defer { place += size }
            return .file(
                bytes: Data(body[place..<place + size]),
                permissions: permissions,
                modifiedMilliseconds: modified
            )
        }
    }

    /// Fetches the body of a download of so many bytes, and ends it.
    private func fetchBody(_ size: Int, of answer: FilesDownloaded) async throws -> [UInt8] {
        guard size > 0 else { return [] }
        let malformed = TransferError.malformedAnswer(method: FileMethods.downloadFiles.name)
        guard let link, let text = answer.transferID, let id = TransferID(text: text) else { throw malformed }
        var body = [UInt8](repeating: 0, count: size)
        do {
            if answer.offersConnections { dialer?.wish(for: id) }
            try await forEach(Self.parts(of: size), atATime: Self.partsAtATime) { [window] part in
                let taken = TakenPart()
                try await window.with(part.count) {
                    try await link.fetch(part.count, at: Int64(part.lowerBound), of: id) { bytes, _ in taken.take(bytes)
                    }
                }
                return (part, taken.bytes)
            } take: { part, bytes in
                guard bytes.count == part.count else { throw malformed }
                body.replaceSubrange(part, with: bytes)
            }
            let completed = try await call(FileMethods.completeDownload, NamedTransfer(text))
            guard completed.checksum == Hexadecimal.encode(Array(SHA256.hash(data: body))) else {
                throw TransferError.checksumMismatch
            }
        } catch {
            await cancel(text)
            throw error
        }
        return body
    }

    private static func parts(of size: Int) -> [Range<Int>] {
        stride(from: 0, to: size, by: TransferFrame.dataLimit).map { $0..<min($0 + TransferFrame.dataLimit, size) }
    }
}
