import CArchive

/// Where a zip archive's bytes go, as the library calls it.
final class ZipOutput {
    private let sink: (UnsafeRawBufferPointer) throws -> Void
    private(set) var failure: (any Error)?

    init(_ sink: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.sink = sink }

    /// The library keeps this object's address: the archive may be used no longer than it lives.
    func open(_ archive: OpaquePointer) -> CInt {
        archive_write_open(
            archive,
            Unmanaged.passUnretained(self).toOpaque(),
            nil,
            { _, client, bytes, count in
                guard let client, let bytes else { return -1 }
                let output = Unmanaged<ZipOutput>.fromOpaque(client).takeUnretainedValue()
                return output.take(UnsafeRawBufferPointer(start: bytes, count: count))
            },
            nil
        )
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        // A failed sink is not called again: what follows would stand at the wrong place.
        guard failure == nil else { return -1 }
        do {
            try sink(bytes)
            return bytes.count
        } catch {
            failure = error
            return -1
        }
    }
}
