/// Sizes that a test makes small.
package struct TransferTuning: Sendable {
    /// Bytes of a part that goes as JSON.
    package var chunkSize: Int64 = 256 << 10
    /// Bytes of a part that goes as a frame.
    package var frameSize: Int64 = 512 << 10
    /// Bytes between two waits for the disk: what a power cut may cost.
    package var batchSize: Int64 = 16 << 20

    package init(chunkSize: Int64 = 256 << 10, frameSize: Int64 = 512 << 10, batchSize: Int64 = 16 << 20) {
        self.chunkSize = chunkSize
        self.frameSize = frameSize
        self.batchSize = batchSize
    }
}
