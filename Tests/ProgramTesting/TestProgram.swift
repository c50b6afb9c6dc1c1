package import Foundation
import Subprocess

/// Scripts that tests put in the place of programs.
package enum TestProgram {
    package struct Failure: Error {
        let message: String
    }

    /// Writes a script for `/bin/sh` that can be run at once.
    ///
    /// Another program writes it: a test that starts a process meanwhile would hand our open file down to it for a moment, and the system runs no file that
    /// somebody has open for writing (`ETXTBSY`).
    package static func write(_ script: String, to file: URL) async throws {
        let result = try await Subprocess.run(
            .name("sh"),
            arguments: ["-c", #"cat >"$0" && chmod 755 "$0""#, file.path],
            input: .string("#!/bin/sh\n\(script)\n"),
            output: .discarded,
            error: .string(limit: 4 << 10)
        )
        guard result.terminationStatus.isSuccess else { throw Failure(message: result.standardError) }
    }
}
