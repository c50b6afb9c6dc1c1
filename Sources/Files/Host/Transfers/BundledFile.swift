import Transfers

/// The contents of small files, one after the other as the body of one download, as they were when they were read.
struct BundledFile: ReadableFile {
    let bytes: [UInt8]

    func status() -> FileStatus {
        let never = FileTime(seconds: 0)
        return FileStatus(
            kind: .file,
            size: Int64(bytes.count),
            modified: never,
            accessed: never,
            created: nil,
            permissions: 0,
            inode: 0,
            device: 0
        )
    }

    func read(at offset: Int64, count: Int) -> [UInt8] {
        guard offset >= 0, offset < Int64(bytes.count) else { return [] }
        return Array(bytes[Int(offset)...].prefix(count))
    }
}
