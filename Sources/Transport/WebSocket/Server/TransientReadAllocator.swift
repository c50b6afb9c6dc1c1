package import NIOCore

/// Read buffers that live only as long as a read.
///
/// The stock allocators leave each channel holding what it last read with, up to 64 KiB, which is most of what ten thousand idle
/// connections cost. SwiftNIO keeps the first buffer it is given, and reuses a kept one only when the allocator names a next
/// size or says that sizes do not grow: so the first is tiny, none is named, and sizes always grow.
/// It needs `maxMessagesPerRead` 1. The memory test of the benchmark notices when a new SwiftNIO behaves differently.
package struct TransientReadAllocator: RecvByteBufferAllocator {
    private let size: Int
    private var isFirst = true

    package init(size: Int = 64 * 1024) { self.size = size }

    package mutating func record(actualReadBytes: Int) -> Bool {
        isFirst = false
        return true
    }

    package func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
        allocator.buffer(capacity: isFirst ? 16 : size)
    }

    package func nextBufferSize() -> Int? { nil }
}
