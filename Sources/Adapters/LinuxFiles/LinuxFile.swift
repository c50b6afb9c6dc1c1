import Glibc
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
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            while filled < count {
                let got = pread(
                    descriptor.number,
                    buffer.baseAddress.map { $0 + filled },
                    count - filled,
                    off_t(offset) + off_t(filled)
                )
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { return }
                filled += got
            }
        }
        guard failure == 0 else { throw FileError(errno: failure, path: path) }
        return bytes
    }
}
