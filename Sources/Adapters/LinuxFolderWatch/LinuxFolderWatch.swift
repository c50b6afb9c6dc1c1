import CLinux
import Dispatch
import Glibc
package import Logging
package import ThreadIndex

/// Hears of changes in folders from the kernel, by inotify.
package struct LinuxFolderWatch: FolderWatch {
    /// Changes that wait for a reader.
    private static let waiting = 1024

    private let folderLimit: Int
    private let logger: Logger

    /// - Parameter folderLimit: Folders that one stream watches. The system has a limit for all programs of a user, too.
    package init(folderLimit: Int = 16_384, logger: Logger = Logger(label: "tandem.folders")) {
        self.folderLimit = folderLimit
        self.logger = logger
    }

    package func changes(below folders: [String], files: [String]) -> AsyncStream<FolderChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: FolderChange.self,
            bufferingPolicy: .bufferingNewest(Self.waiting)
        )
        let descriptor = tandem_folder_watch_open()
        guard descriptor >= 0 else {
            continuation.yield(.incomplete(reason: String(cString: strerror(-descriptor))))
            return stream
        }
        // Used here until the source is resumed, and on its queue from then on.
        nonisolated(unsafe) let tree = WatchedTree(descriptor, folders: folders, files: files, limit: folderLimit) {
            change in
            // The newest are kept; a reader that lost some is told behind them.
            if case .dropped = continuation.yield(change) { continuation.yield(.lost) }
        }
        tree.begin()
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor,
            queue: DispatchQueue(label: "tandem.folders")
        )
        source.setEventHandler { [logger] in
            let code = tree.read()
            guard code < 0 else { return }
            let reason = String(cString: strerror(Int32(-code)))
            logger.notice("changes in folders are not heard any more", metadata: ["reason": "\(reason)"])
            continuation.yield(.incomplete(reason: reason))
            source.cancel()
        }
        source.setCancelHandler { close(descriptor) }
        continuation.onTermination = { _ in source.cancel() }
        source.resume()
        return stream
    }
}
