/// Memory that small frames are unmasked into, one for each event loop or each read: a frame's bytes are valid until the next is read.
package final class WebSocketScratch {
    /// Frames up to this size go through scratch memory, larger ones get a buffer of their own.
    package static let capacity = 8192

    package let memory: UnsafeMutableRawBufferPointer

    package init() {
        memory = .allocate(byteCount: Self.capacity, alignment: 16)
    }

    deinit { memory.deallocate() }

    package func bytes(_ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory[..<count])
    }
}
