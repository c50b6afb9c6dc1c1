import Glibc

/// The program's input and output. Both block.
struct Streams {
    let input: Int32
    let output: Int32

    /// - Returns: Exactly `count` bytes; nil where the input ends before.
    func read(_ count: Int) -> [UInt8]? {
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let got = Glibc.read(input, buffer.baseAddress.map { $0 + filled }, count - filled)
                if got > 0 {
                    filled += got
                } else if got == 0 || errno != EINTR {
                    isWhole = false
                    return
                }
            }
        }
        return isWhole ? bytes : nil
    }

    /// - Returns: False where nothing reads the output any more.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let wrote = Glibc.write(output, part.baseAddress, part.count)
            if wrote > 0 {
                rest = rest.dropFirst(wrote)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    func write(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes(write) }
}
