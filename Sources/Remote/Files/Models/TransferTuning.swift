/// Sizes that a test makes small.
struct TransferTuning: Sendable {
    /// As JSON.
    var chunkSize: Int64 = 256 << 10
    /// As frames.
    var frameSize: Int64 = 512 << 10
    /// Bytes between two waits for the disk: what a power cut may cost.
    var batchSize: Int64 = 16 << 20
}
