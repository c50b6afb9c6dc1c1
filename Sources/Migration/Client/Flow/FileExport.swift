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
        guard takesAll else { return try await write(takesAll: false) }
        let handover = PhoneHandover(phone: try site.phone.phone, transferID: UUID.randomText(), time: site.time)
        do {
            try await handover.begin(to: file.url.lastPathComponent)
            try await write(takesAll: true)
        } catch {
            // No whole file is there, so no other phone can have anything.
            try await handover.giveBack()
            throw error
        }
    }

    private func write(takesAll: Bool) async throws {
        let making = PackageMaking(site: site, password: password, sessionKey: nil)
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
