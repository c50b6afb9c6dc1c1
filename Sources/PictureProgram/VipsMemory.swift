import CVipsShim

/// Bytes that libvips allocated, and that end with this value.
struct VipsMemory: ~Copyable {
    private let start: UnsafeMutablePointer<UInt8>?
    let count: Int

    init(_ start: UnsafeMutablePointer<UInt8>?, count: Int) {
        self.start = start
        self.count = start == nil ? 0 : count
    }

    deinit { cvips_free(start) }

    borrowing func write(to streams: Streams) -> Bool {
        streams.write(UnsafeRawBufferPointer(start: start, count: count))
    }
}
