package import Foundation

/// The names that change places between a state folder and a staged state: each is renamed as one.
package struct SwapPlan: Codable, Hashable, Sendable {
    static let fileName = "swap.json"
    private static let byteLimit = 64 << 10

    /// Paths below the state folder, for example `tandem.sqlite` and `features/chat`.
    package let names: [String]

    init(names: [String]) { self.names = names }

    /// The plan of a staged state: databases, keys, features' folders, and files of the role.
    init(of folder: URL, features: Set<String>) throws {
        let manager = FileManager.default
        func contents(_ name: String) throws -> [String] {
            let url = folder.appending(path: name)
            guard manager.fileExists(atPath: url.path) else { return [] }
            return try manager.contentsOfDirectory(atPath: url.path).sorted().map { "\(name)/\($0)" }
        }
        let top = try manager.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { !["keys", "features", Self.fileName].contains($0) }
        names = top + (try contents("keys")) + features.sorted().map { "features/\($0)" }
    }

    func write(to folder: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try DurableFiles.write(Array(try encoder.encode(self)), to: folder.appending(path: Self.fileName))
    }

    /// The plan beside a staged or a replaced state; nil where there is none, and so nothing to put into place.
    package static func read(in folder: URL) throws -> SwapPlan? {
        let url = folder.appending(path: fileName)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
        guard size?.intValue ?? .max <= byteLimit else { throw SectionError.badName(fileName) }
        let plan = try JSONDecoder().decode(SwapPlan.self, from: Data(contentsOf: url))
        // The file is ours, and a name out of the folder would still be a disaster.
        for name in plan.names {
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
                throw SectionError.badName(name)
            }
        }
        return plan
    }
}
