import Archives
import Crypto
import Foundation

@testable import MigrationContainer

/// Any entries, sealed as a package, without the cost of a password.
struct SealedArchive {
    var entries: [(name: String, body: [UInt8])]

    private static let passwordKey = SymmetricKey(data: [UInt8](repeating: 7, count: 32))

    /// Stands for the sealed key [1, 2, 3], which is known once the header is.
    private static let placeholder = [UInt8](repeating: 0, count: 31)

    /// The entries of a small package that is whole.
    static func whole(manifest: String? = nil) throws -> SealedArchive {
        let file: [UInt8] = [9, 9, 9]
        let digest = SHA256.hash(data: file).map { String(format: "%02x", $0) }.joined()
        let usual = """
            {"appVersion":"1","backupId":"b","createdAt":1,"entityStats":{"CategoryEntity":{"count":0},
            "MediaEntity":{"count":0},"SettingEntity":{"count":0},"StoryEntity":{"count":1}},
            "files":[{"path":"media/a.jpg","sha256":"\(digest)","size":3}],
            "integrity":{"hashAlgorithm":"SHA256","zipSHA256":"","zipSize":0},
            "mediaStats":{"totalBytes":3,"totalFiles":1},
            "options":{"brokenMediaCount":0,"hasBrokenMedia":false},"schemaVersion":1}
            """
        return SealedArchive(entries: [
            ("manifest.json", Array((manifest ?? usual).utf8)), ("security/master_key.bin", placeholder),
            ("coredata/settings.json", Array("[]".utf8)), ("coredata/categories.json", Array("[]".utf8)),
            ("coredata/stories.json", Array(#"[{"id":"s"}]"#.utf8)), ("coredata/media.json", Array("[]".utf8)),
            ("coredata/relations_story_categories.json", Array("[]".utf8)), ("media/a.jpg", file),
        ])
    }

    /// The place of an entry.
    func index(_ name: String) -> Int { entries.firstIndex { $0.name == name } ?? entries.endIndex }

    mutating func replace(_ name: String, _ text: String) { entries[index(name)].body = Array(text.utf8) }

    private func archive(_ method: ZipWriter.Method, key: [UInt8]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let writer = try ZipWriter { bytes += $0 }
        for entry in entries {
            let name = try ArchiveName(entry.name)
            let isKey = entry.body == Self.placeholder
            let body = isKey ? key : entry.body
            // A deflated key would have a length of its own, on which the header depends.
            let size = UInt64(body.count)
            try writer.begin(name, size: size, method: isKey ? .stored : method, modified: .distantPast)
            try writer.write(body)
        }
        try writer.finish()
        return bytes
    }

    /// - Parameters:
    ///   - outer: The copy of the manifest that came before the package.
    ///   - schemaVersion: What the device announced.
    @discardableResult
    func read(
        outer: [UInt8]? = nil,
        schemaVersion: Int? = nil,
        method: ZipWriter.Method = .stored,
        to sink: CollectingSink = CollectingSink()
    ) throws -> PackageContents {
        let header = try Self.header(length: UInt64(try archive(method, key: Self.placeholder).count))
        let archive = try archive(
            method,
            key: try MigrationCryptoService().sealMasterKey([1, 2, 3], header: header)
        )
        let sealer = try ContainerSealer(header: header)
        var package: ArraySlice<UInt8> = []
        for start in stride(from: 0, to: sealer.length, by: 16 << 20) {
            package += try sealer.bytes(in: start..<min(start + 16 << 20, sealer.length)) {
                Array(archive[Int($0.lowerBound)..<Int($0.upperBound)])
            }
        }
        let reader = try PackageReader(
            header: header,
            crypto: MigrationCryptoService(),
            outerManifest: outer,
            schemaVersion: schemaVersion,
            sink: sink
        )
        return try reader.read {
            defer { package = package.dropFirst(50_000) }
            return Array(package.prefix(50_000))
        }
    }

    private static func header(length: UInt64) throws -> ContainerHeader {
        try ContainerHeader(
            prefix: ContainerPrefix(
                cost: .usual,
                isSessionBound: false,
                salt: [UInt8](repeating: 1, count: 32),
                noncePrefix: [UInt8](repeating: 2, count: 7),
                length: length,
                backupID: [UInt8](repeating: 3, count: 16)
            ),
            passwordKey: passwordKey,
            sessionKey: nil
        )
    }
}
