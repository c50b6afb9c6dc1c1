import Archives
import Foundation
import Kernel
import Synchronization
import Testing

@testable import MigrationContainer

/// A package of container 2 with schema 1 that every later version has to read, and the data it was made of.
struct FrozenPackage {
    let bytes: [UInt8]
    let password: String
    let description: BackupDescription
    private let data: JSONValue

    /// - Parameter name: The fixture's: without sections, or `container-2-schema-1-sections`.
    init(_ name: String = "container-2-schema-1") throws {
        let url = try Self.url(name, "enc")
        bytes = Array(try Data(contentsOf: url))
        data = try JSONValue(parsing: Data(contentsOf: Self.url("source", "json")))
        password = try #require(data["password"]?.stringValue)
        description = BackupDescription(
            backupID: try #require(UUID(uuidString: data["backupId"]?.stringValue ?? "")),
            appVersion: try #require(data["appVersion"]?.stringValue),
            createdAt: try #require(data["createdAt"]?.integerValue)
        )
    }

    static func url(_ name: String, _ type: String) throws -> URL {
        try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: type))
    }

    func source() throws -> MemorySource {
        var state = MemorySource.State()
        for entity in MigrationEntity.allCases { state.records[entity] = try records(of: entity) }
        guard case .array(let files)? = data["files"], case .array(let broken)? = data["broken"] else {
            throw ContainerError.malformedManifest
        }
        for file in files {
            let path = try #require(file["path"]?.stringValue)
            let (size, seed) = (try #require(file["size"]?.integerValue), try #require(file["seed"]?.integerValue))
            state.files[path] = Self.pattern(Int(size), seed: Int(seed))
            state.media.append(
                BackupMedium(path: path, mediaID: file["mediaId"]?.stringValue, size: UInt64(size), digest: nil)
            )
        }
        for medium in broken {
            let path = "Videos/2024/01/\(try #require(medium["fileName"]?.stringValue))"
            if medium["reason"] == .string("EMPTY") { state.files[path] = [] }
            state.media.append(
                BackupMedium(path: path, mediaID: medium["mediaId"]?.stringValue, size: nil, digest: nil)
            )
        }
        return MemorySource(state)
    }

    func records(of entity: MigrationEntity) throws -> [JSONValue] {
        let name = entity == .relations ? "relations_story_categories" : entity.rawValue
        guard case .array(let records)? = data["records"]?[name] else { throw ContainerError.malformedManifest }
        return records
    }

    func files() throws -> [String: [UInt8]] {
        try source().state.withLock { $0.files.filter { !$0.value.isEmpty } }
    }

    /// The sections of the other fixture, and their files' contents by section and path.
    static func sections() throws -> (list: [BackupSection], contents: [String: [UInt8]]) {
        var (list, contents): ([BackupSection], [String: [UInt8]]) = ([], [:])
        for section in try JSONValue(parsing: Data(contentsOf: url("sections", "json"))).arrayValue ?? [] {
            let name = try #require(section["name"]?.stringValue)
            var paths: [String] = []
            for file in try #require(section["files"]?.arrayValue) {
                let path = try #require(file["path"]?.stringValue)
                paths.append(path)
                contents["\(name)/\(path)"] =
                    if let text = file["text"]?.stringValue {
                        Array(text.utf8)
                    } else {
                        pattern(
                            Int(try #require(file["size"]?.integerValue)),
                            seed: Int(try #require(file["seed"]?.integerValue))
                        )
                    }
            }
            let version = Int(try #require(section["version"]?.integerValue))
            list.append(BackupSection(name: name, version: version, paths: paths))
        }
        return (list, contents)
    }

    static func pattern(_ count: Int, seed: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8 ^ seed) }
    }

    /// Bytes that look random and are the same in each run.
    static func crypto() -> MigrationCryptoService {
        let place = FrozenBytes()
        return MigrationCryptoService { count in place.next(count) }
    }
}

private final class FrozenBytes: Sendable {
    private let place = Mutex(0)

    func next(_ count: Int) -> [UInt8] {
        place.withLock { place in
            defer { place += count }
            return (place..<place + count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        }
    }
}
