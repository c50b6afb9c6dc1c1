import Foundation
import Kernel
import Subprocess
import Testing

/// The reader in Python that knows the document alone.
enum IndependentReader {
    /// - Parameter arguments: The password, and the session's key in hexadecimal where there is one.
    /// - Returns: What it found in the package.
    static func read(_ package: [UInt8], _ arguments: String...) async throws -> JSONValue {
        let file = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString).enc")
        defer { try? FileManager.default.removeItem(at: file) }  // a left-over in the temporary folder does no harm
        try Data(package).write(to: file)
        let result = try await Subprocess.run(
            .name("python3"),
            arguments: Arguments([try FrozenPackage.url("read_package", "py").path, file.path] + arguments),
            output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 16)
        )
        #expect(result.terminationStatus == .exited(0), "\(result.standardError)")
        return try JSONValue(parsing: result.standardOutput.utf8)
    }
}
