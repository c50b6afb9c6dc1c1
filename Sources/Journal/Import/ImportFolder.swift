import Foundation
import Kernel

/// The files of an export, in a folder. Links are passed over, so nothing outside of it is read.
struct ImportFolder: Sendable {
    /// Files that are looked at.
    private static let limit = 500_000

    let root: URL
    /// Paths below the root, sorted.
    let paths: [String]
    private let known: Set<String>
    private let byStem: [String: [String]]
    private let byName: [String: [String]]

    /// Waits for the disk.
    ///
    /// - Throws: ``JournalError/unreadable(path:)``.
    init(_ folder: URL) throws(JournalError) {
        var (root, names) = (folder.standardizedFileURL, [String]())
        // An archive of a folder holds that folder alone.
        for _ in 0..<4 {
            guard let held = try? FileManager.default.contentsOfDirectory(atPath: root.path) else {
                throw .unreadable(path: folder.path)
            }
            let shown = held.filter { !$0.hasPrefix(".") && $0 != "__MACOSX" }
            guard shown.count == 1, let only = shown.first, Self.type(root.path + "/" + only) == .typeDirectory else {
                break
            }
            root = root.appending(path: only, directoryHint: .isDirectory)
        }
        guard let all = FileManager.default.enumerator(atPath: root.path) else { throw .unreadable(path: folder.path) }
        for case let name as String in all {
            guard names.count < Self.limit else { break }
            let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__MACOSX" }
            guard !isHidden, Self.type(root.path + "/" + name) == .typeRegular else { continue }
            names.append(name)
        }
        self.root = root
        paths = names.sorted()
        known = Set(names)
        byName = Dictionary(grouping: paths) { Self.last($0).lowercased() }
        byStem = Dictionary(grouping: paths) { Self.stem($0).lowercased() }
    }

    func url(_ path: String) -> URL { root.appending(path: path) }

    /// The path as it is written, if such a file is here. `a/../b` is `b`; what leads outside is nothing.
    func file(_ path: String) -> String? {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." {
                guard parts.popLast() != nil else { return nil }
            } else {
                parts.append(part)
            }
        }
        let path = parts.joined(separator: "/")
        return known.contains(path) ? path : nil
    }

    /// The only file of this name in any folder.
    func only(named name: String) -> String? {
        let found = byName[name.lowercased()] ?? []
        return found.count == 1 ? found.first : nil
    }

    /// Files of this name without its ending, those in `folder` first.
    func files(stem: String, in folder: String) -> [String] {
        let found = byStem[stem.lowercased()] ?? []
        return found.filter { $0.hasPrefix(folder + "/") } + found.filter { !$0.hasPrefix(folder + "/") }
    }

    /// - Throws: ``JournalError/unreadable(path:)``, ``JournalError/fileTooLarge(path:limit:)``.
    func bytes(_ path: String, limit: Int64 = JournalLimits.importedText) throws(JournalError) -> [UInt8] {
        let url = url(path)
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        guard let size = (attributes?[.size] as? NSNumber)?.int64Value else { throw .unreadable(path: path) }
        guard size <= limit else { throw .fileTooLarge(path: path, limit: limit) }
        guard let data = try? Data(contentsOf: url) else { throw .unreadable(path: path) }
        return Array(data)
    }

    /// A text, in which line ends are those of Unix.
    func text(_ path: String) throws -> String {
        let bytes = try bytes(path, limit: Int64(JournalLimits.content) * 2)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ImportProblem.notReadable(member: "text")
        }
        let body = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
        return TextBytes.unixLines(body)
    }

    /// When the file was changed, in milliseconds since 1970.
    func changed(_ path: String) -> Int64? {
        let date = try? FileManager.default.attributesOfItem(atPath: url(path).path)[.modificationDate] as? Date
        return date?.millisecondsSince1970
    }

    static func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The name of the file without its ending.
    static func stem(_ path: String) -> String {
        let name = last(path)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    private static func type(_ path: String) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.type]) as? FileAttributeType
    }
}
