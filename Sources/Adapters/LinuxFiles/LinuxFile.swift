import Transfers

struct LinuxFile: ReadableFile {
    let descriptor: Descriptor
    let path: String

    init(_ descriptor: Descriptor, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    func status() throws(FileError) -> FileStatus { try descriptor.status(named: path) }

    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        try SystemFile.read(descriptor.number, at: offset, count: count, path: path)
    }
}
