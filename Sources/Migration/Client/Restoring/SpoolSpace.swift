import Kernel
import MigrationContainer
import MigrationTransfer

/// The space of a package that came from an old phone, while it is restored: the disk gets back what its files have, so that nothing is there twice
/// for long.
struct SpoolSpace: Sendable {
    /// Parts of the package that the old phone has to make again: they were given back, and what had them is gone.
    struct MissingParts: ClassifiedError {
        let bytes: RangeSet<Int64>

        var facts: FailureFacts { .kind(.internal, reason: "migratePartsLost") }

        var description: String {
            """
            This device lost parts of the data that came, more than once, so nothing was replaced. Check its disk, and then begin the move anew on \
            both phones.
            """
        }
    }

    /// Bytes of the package that may be holes.
    let released: RangeSet<Int64>
    /// Takes parts of the package's archive that are on the disk as files, in bytes of the plaintext. Called on the thread that reads.
    let release: @Sendable (Range<UInt64>) -> Void

    /// - Throws: ``MissingParts`` unless every byte that may be a hole is known.
    func check(known: (any KnownArchive)?) throws {
        let sealed = (known?.ranges ?? []).compactMap { SegmentCipher.sealedRange(within: $0) }.map(Self.bytes)
        let missing = released.subtracting(RangeSet(sealed))
        guard missing.isEmpty else { throw MissingParts(bytes: missing) }
    }

    /// A range that is no longer than any package.
    static func bytes(_ range: Range<UInt64>) -> Range<Int64> {
        Int64(clamping: range.lowerBound)..<Int64(clamping: range.upperBound)
    }
}
