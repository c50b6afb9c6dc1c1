import Kernel
import MigrationContainer
import MigrationTransfer

/// A package as the transfer reads it: ranges of bytes, made when they are asked for on threads that may block.
struct PackageRanges: PackageSource {
    let package: MigrationPackage
    let work: BlockingWork

    func read(_ range: Range<Int64>) async throws -> [UInt8] {
        guard let lower = UInt64(exactly: range.lowerBound), let upper = UInt64(exactly: range.upperBound) else {
            throw ContainerError.invalidArgument("range")
        }
        return try await work.run { [package] in try package.bytes(in: lower..<upper) }
    }
}
