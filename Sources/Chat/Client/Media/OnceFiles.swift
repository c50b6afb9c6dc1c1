import Chat
import Foundation
import Kernel

/// View-once pictures that a command on this machine opened: a file of the owner's alone for each, which is removed after a minute, at the end of
/// the program, and at the next start where it was killed. Pages get the bytes and no file.
actor OnceFiles {
    static let lifetime = Duration.seconds(60)

    private let folder: URL
    private let work: BlockingWork
    private let time: any TimeSource
    private let removals = OwnedTasks()
    private var files: Set<URL> = []

    /// Makes the folder, empty.
    ///
    /// - Throws: What the disk says.
    init(in folder: URL, work: BlockingWork, time: any TimeSource) throws {
        try MediaDisk.makeEmpty(folder)
        self.folder = folder
        self.work = work
        self.time = time
    }

    /// - Parameter fileExtension: Of the type that was found, without the dot.
    /// - Throws: What the disk says.
    func keep(_ bytes: [UInt8], fileExtension: String) async throws -> URL {
        let file = folder.appending(component: "\(UUID.randomText()).\(fileExtension)", directoryHint: .notDirectory)
        try await work.run { try MediaDisk.write(bytes, to: file) }
        files.insert(file)
        let end = time.now + Self.lifetime
        removals.add { [time, weak self] in
            // Cancelled at the end of the program, which removes them all.
            if await time.pause(until: end) { await self?.remove(file) }
        }
        return file
    }

    private func remove(_ file: URL) async {
        files.remove(file)
        try? await work.finish { MediaDisk.remove(file) }  // swept at the next start
    }

    func end() async {
        await removals.end()
        for file in files { await remove(file) }
    }
}
