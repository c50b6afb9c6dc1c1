import Transfers

#if os(Linux)
    import CLinux
#endif

/// Many small files may come into a folder of this device.
extension LocalFolder: ArrivalFolder {
    /// The person may do everything here that the system lets them.
    func refusals(of names: [[UInt8]]) -> [FileError?] { names.map { _ in nil } }

    func write(_ file: WholeFile, as part: [UInt8]) throws(FileError) {
        let made = try makePart(part, size: 0)
        try made.write(file.content[...], at: 0)
        try made.setAttributes(
            permissions: file.permissions,
            mask: mask,
            modifiedMilliseconds: file.modifiedMilliseconds
        )
        #if !os(Linux)
            try made.synchronize()
        #endif
    }

    /// Linux brings all files to the disk with one call; elsewhere each went there when it was written.
    func synchronizeFiles() throws(FileError) {
        #if os(Linux)
            let result = tandem_synchronize_disk(descriptor)
            guard result == 0 else { throw FileError(errno: -result, path: path, on: .thisDevice) }
        #endif
    }
}
