import Foundation
import Kernel
import MigrationContainer

/// Writes this phone's data into a file.
struct FileExport: Sendable {
    let site: MigrationSite
    let file: PackageFile
    let password: MigrationPassword
    let mark: CancellationMark
    let state: LatestValue<MigrationFlowState>

    /// - Parameter takesAll: Else the journal alone, and the phone goes on.
    func run(takesAll: Bool) async throws {
        guard takesAll else { return try await writeOnceMore(takesAll: false) }
        let handover = PhoneHandover(phone: try site.phone.phone, transferID: UUID.randomText(), time: site.time)
        do {
            try await handover.begin(to: file.url.lastPathComponent)
            try await writeOnceMore(takesAll: true)
        } catch {
            // No whole file is there, so no other phone can have anything.
            try await handover.giveBack()
            throw error
        }
    }

    /// A file that is not as it was saved is found while it is written; the package is made again then, with the sums that the files have.
    private func writeOnceMore(takesAll: Bool) async throws {
        do {
            try await write(takesAll: takesAll, trustsSums: true)
        } catch ContainerError.sourceChanged {
            state.update { $0.step = .preparing }
            try await write(takesAll: takesAll, trustsSums: false)
        }
    }

    private func write(takesAll: Bool, trustsSums: Bool) async throws {
        let making = PackageMaking(site: site, password: password, sessionKey: nil, trustsSums: trustsSums)
        let made = try await making.make(takesAll: takesAll) { [mark, state] bytes in
            try mark.check()
            state.update { $0.doneBytes = Int64(clamping: bytes) }
        }
        let total = Int64(clamping: made.package.length)
        state.update { ($0.step, $0.doneBytes, $0.totalBytes) = (.writing, 0, total) }
        let result: Result<Void, any Error>
        do {
            try await site.work.run { [file, mark, state] in
                try file.write(made.package) { bytes in
                    try mark.check()
                    state.update { state in
                        state.doneBytes = Int64(clamping: bytes)
                        state.fraction = total == 0 ? 0 : Double(bytes) / Double(total)
                    }
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        // The rows that were written down are a copy of the phone's data that nothing reads any more.
        try await site.work.finish { [places = site.places] in
            try MigrationPlaces.remove(places.sections)
        }
        try result.get()
    }
}
