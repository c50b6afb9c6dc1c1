package import Foundation
import Kernel
import Synchronization

/// Small pictures on this computer's disk, by what the file was that each was made of; those that were not asked for the longest go first.
/// Calls block.
///
/// What cannot be read or written here is made anew: nothing fails for it.
package final class ThumbnailShelf: Sendable {
    enum Entry: Hashable, Sendable {
        /// A JPEG.
        case picture([UInt8])
        /// The file is no picture that could be read.
        case none
    }

    private struct Kept {
        var size: Int
        /// The larger, the later it was asked for.
        var turn: Int
    }

    private struct State {
        let folder: URL
        var kept: [String: Kept] = [:]
        var bytes = 0
        var turn = 0
    }

    /// A file that holds this and no picture stands for ``Entry/none``. An empty one is what a power cut left.
    private static let mark = Data("none".utf8)

    private let byteLimit: Int
    private let countLimit: Int
    private let makeFolder: @Sendable () throws -> URL
    private let state = Mutex<State?>(nil)

    /// - Parameters:
    ///   - byteLimit: Bytes of all pictures.
    ///   - countLimit: Entries.
    ///   - folder: Gives the feature's folder, which nobody else can read. The pictures lie in one of their own in it.
    package init(
        byteLimit: Int = 64 << 20,
        countLimit: Int = 8192,
        folder: @escaping @Sendable () throws -> URL
    ) {
        self.byteLimit = byteLimit
        self.countLimit = countLimit
        makeFolder = folder
    }

    subscript(key: String) -> Entry? {
        guard let file = place(of: key, asked: true) else { return nil }
        guard let data = try? Data(contentsOf: file) else {
            forget(key)
            return nil
        }
        if data == Self.mark { return Entry.none }
        // Both ends of a JPEG: a power cut may have left a part.
        guard data.starts(with: [0xFF, 0xD8]), data.suffix(2).elementsEqual([0xFF, 0xD9]) else {
            forget(key)
            return nil
        }
        return .picture(Array(data))
    }

    func keep(_ entry: Entry, as key: String) {
        let data =
            switch entry {
            case .picture(let bytes): Data(bytes)
            case .none: Self.mark
            }
        guard let file = place(of: key, asked: false), (try? data.write(to: file, options: .atomic)) != nil else {
            return
        }
        let leaving = state.withLock { state -> [URL] in
            guard var open = state else { return [] }
            defer { state = open }
            open.turn += 1
            open.bytes += data.count - (open.kept[key]?.size ?? 0)
            open.kept[key] = Kept(size: data.count, turn: open.turn)
            return makeRoom(&open)
        }
        for file in leaving { try? FileManager.default.removeItem(at: file) }
    }

    /// An eighth more goes than must, so that not every picture looks through all.
    private func makeRoom(_ state: inout State) -> [URL] {
        guard state.bytes > byteLimit || state.kept.count > countLimit else { return [] }
        var leaving: [URL] = []
        for (key, kept) in state.kept.sorted(by: { $0.value.turn < $1.value.turn }) {
            guard state.bytes > byteLimit / 8 * 7 || state.kept.count > countLimit / 8 * 7 else { break }
            state.bytes -= kept.size
            state.kept[key] = nil
            leaving.append(state.folder.appending(path: key))
        }
        return leaving
    }

    /// - Parameter asked: Nil for an entry that is not there; it is the newest from now on.
    private func place(of key: String, asked: Bool) -> URL? {
        state.withLock { state in
            if state == nil { state = try? opened() }
            guard var open = state else { return nil }
            if asked {
                guard open.kept[key] != nil else { return nil }
                open.turn += 1
                open.kept[key]?.turn = open.turn
                state = open
            }
            return open.folder.appending(path: key)
        }
    }

    private func forget(_ key: String) {
        state.withLock { state in
            guard let kept = state?.kept.removeValue(forKey: key) else { return }
            state?.bytes -= kept.size
        }
    }

    /// What an earlier process left, the oldest first.
    private func opened() throws -> State {
        let folder = try makeFolder().appending(path: "thumbnails")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let keys: [URLResourceKey] = [.fileSizeKey, .contentModificationDateKey]
        let found = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: keys)
            .compactMap { file -> (name: String, size: Int, date: Date)? in
                guard let values = try? file.resourceValues(forKeys: Set(keys)), let size = values.fileSize else {
                    return nil
                }
                return (file.lastPathComponent, size, values.contentModificationDate ?? .distantPast)
            }
        var state = State(folder: folder)
        for entry in found.sorted(by: { $0.date < $1.date }) {
            state.turn += 1
            state.bytes += entry.size
            state.kept[entry.name] = Kept(size: entry.size, turn: state.turn)
        }
        return state
    }
}
