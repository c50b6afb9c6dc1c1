import CommandClient
import Commands
import Foundation
import Kernel
import Transport

/// Files that the page of this phone puts into a story. What arrives lies on the disk for as long as encrypting it takes, as what an import unpacks
/// does: readable by the phone's user alone, and removed at the next start where the program ended before.
struct JournalUploads: Sendable {
    /// Of one file, however slow the browser is.
    private static let duration = Duration.seconds(3600)
    /// Bytes of a file's name in the browser.
    private static let nameLimit = 1024

    let repository: JournalRepository
    /// Where a file is until it is encrypted.
    let folder: URL

    /// - Throws: `RouteError`.
    func routes() throws -> [HTTPRoute] {
        [
            try HTTPRoute(
                .post,
                "/api/journal/media",
                maximumBodyBytes: JournalLimits.upload,
                duration: Self.duration
            ) { request, body in
                do {
                    return try await take(body, request)
                } catch let error as RouteError {
                    // The server answers it: a body that is too large is no failure of the journal.
                    throw error
                } catch {
                    return .failure(FailureReport(error))
                }
            }
        ]
    }

    private func take(_ body: HTTPRequestBody, _ request: RouteRequest) async throws -> HTTPRouteResponse {
        guard let story = request.query("story"), (1...JournalLimits.identifier).contains(story.utf8.count) else {
            throw JournalError.badRequest("story")
        }
        guard let name = request.query("name"), (1...Self.nameLimit).contains(name.utf8.count) else {
            throw JournalError.badRequest("name")
        }
        // Nothing of a large file is taken for a story that is not there.
        let id = try await repository.detail(story).story.id
        let place = folder.appending(
            component: "\(JournalFeature.unpackedPrefix)\(UUID.randomText())",
            directoryHint: .isDirectory
        )
        // Only the ending of the name is kept: it says what the file is.
        let file = place.appending(component: "file.\(NewMedium.ending(of: name))", directoryHint: .notDirectory)
        do {
            try await write(body, to: file, in: place)
            let medium = try await repository.attach(file.path, to: id)
            await remove(place)
            return .json(try JSONValue(encoding: JournalRoutes.entry(medium)))
        } catch {
            await remove(place)
            throw error
        }
    }

    private func write(_ body: HTTPRequestBody, to file: URL, in place: URL) async throws {
        let work = repository.work
        let handle = try await work.run {
            try NewFile.makeFolder(place)
            return try NewFile.open(file)
        }
        for try await piece in body {
            try await work.run {
                do { try handle.write(contentsOf: piece) } catch { throw JournalError.notWritten(path: folder.path) }
            }
        }
        try await work.run {
            do { try handle.close() } catch { throw JournalError.notWritten(path: folder.path) }
        }
    }

    private func remove(_ place: URL) async {
        // What cannot be removed now is removed at the next start.
        try? await repository.work.finish { try FileManager.default.removeItem(at: place) }
    }
}
