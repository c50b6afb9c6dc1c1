import Transfers

struct LinuxFile: ReadableFile, SystemFile {
    let descriptor: Descriptor
    let path: String

    var number: Int32 { descriptor.number }
    var side: FileSide { .computer }

    func holes() -> ByteRanges { systemHoles() }

    func status() throws(FileError) -> FileStatus { try descriptor.status(named: path) }
}
