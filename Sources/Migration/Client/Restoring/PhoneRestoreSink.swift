import Foundation
import Kernel
import MigrationContainer
import Sections

/// Hands a package's records and media to the generation that is being put together, and its sections to the phone's staged state. For one
/// thread, which waits for the disk.
final class PhoneRestoreSink: RestoreSink {
    private enum Part {
        case header([UInt8])
        case rows
        case file(FileHandle)
    }

    /// Bytes of a section's header: its bounds (64 tables of 128 columns) need no more.
    private static let headerLimit: UInt64 = 4 << 20

    private let journal: any RestoreSink
    private let state: StagedState
    private var receiver: SectionReceiver?
    private var part: Part?

    init(journal: any RestoreSink, state: StagedState) {
        self.journal = journal
        self.state = state
    }

    func begin(_ manifest: Manifest) throws { try journal.begin(manifest) }
    func take(masterKey: [UInt8]) throws { try journal.take(masterKey: masterKey) }
    func take(_ record: JSONValue, of entity: MigrationEntity) throws { try journal.take(record, of: entity) }
    func take(recordText: [UInt8], of entity: MigrationEntity) throws {
        try journal.take(recordText: recordText, of: entity)
    }
    func beginFile(_ path: String, size: UInt64) throws { try journal.beginFile(path, size: size) }
    func beginFile(_ path: String, size: UInt64, at place: FilePlace?) throws {
        try journal.beginFile(path, size: size, at: place)
    }
    var known: (any KnownArchive)? { journal.known }
    func take(fileBytes: [UInt8]) throws { try journal.take(fileBytes: fileBytes) }
    func endFile() throws { try journal.endFile() }

    func beginSectionFile(_ path: String, of section: ManifestSection, size: UInt64) throws {
        switch (path, receiver) {
        case (SectionFiles.headerName, nil):
            guard size <= Self.headerLimit else { throw damaged(section, "its header is too long") }
            part = .header([])
        case (SectionFiles.rowsName, .some): part = .rows
        case (_, let receiver?):
            guard let size = Int64(exactly: size) else { throw damaged(section, "a file's size is none") }
            part = .file(try FileHandle(forWritingTo: receiver.place(forFile: path, size: size)))
        case (_, nil): throw damaged(section, "its header does not come first")
        }
    }

    func take(sectionBytes: [UInt8]) throws {
        switch part {
        case .header(let bytes): part = .header(bytes + sectionBytes)
        case .rows: try receiver?.take(rows: sectionBytes)
        case .file(let handle): try handle.write(contentsOf: Data(sectionBytes))
        case nil: throw ContainerError.unexpectedEntry(SectionFiles.rowsName)
        }
    }

    func endSectionFile() throws {
        switch part {
        case .header(let bytes):
            let header: SectionHeader
            do {
                header = try JSONDecoder().decode(SectionHeader.self, from: Data(bytes))
            } catch {
                throw SectionError.damaged(section: "?", reason: "its header cannot be read")
            }
            receiver = try state.begin(header)
        case .file(let handle): try handle.close()
        case .rows: break
        case nil: throw ContainerError.unexpectedEntry(SectionFiles.rowsName)
        }
        part = nil
    }

    func endSection(_ section: ManifestSection) throws {
        guard let receiver else { throw damaged(section, "it has no header") }
        try receiver.finish()
        self.receiver = nil
    }

    private func damaged(_ section: ManifestSection, _ reason: String) -> SectionError {
        .damaged(section: section.name, reason: reason)
    }
}
