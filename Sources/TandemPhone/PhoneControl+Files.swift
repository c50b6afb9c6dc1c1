import Control
import Files
import Kernel
import Transfers

extension PhoneControl {
    /// Fetches a file or folder; items say how far it is.
    func getFiles(
        _ request: ControlRequest,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        let client = try await files(request)
        let (remote, folder) = (try request.text("remote"), try request.text("local"))
        let name = try request.optionalText("name")
        let isReplacing = try request.flag("replace")
        return try await Self.following(client, report) {
            try await client.download(remote, to: folder, as: name, replacing: isReplacing)
        }
    }

    /// Sends a file or folder.
    func putFiles(
        _ request: ControlRequest,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        let client = try await files(request)
        let (local, folder) = (try request.text("local"), try request.text("remote"))
        let isReplacing = try request.flag("replace")
        return try await Self.following(client, report) {
            try await client.upload(local, to: folder, replacing: isReplacing)
        }
    }

    private func files(_ request: ControlRequest) async throws -> FileTransferClient {
        try await phone.files(of: phone.desktop(named: request.optionalText("device")))
    }

    private static func following(
        _ client: FileTransferClient,
        _ report: @escaping @Sendable (JSONValue) async throws -> Void,
        _ transfer: @escaping @Sendable () async throws -> TransferReport
    ) async throws -> JSONValue {
        let progress = client.progress()
        return try await withThrowingTaskGroup(of: JSONValue?.self) { group in
            group.addTask {
                let result = try await transfer()
                return [
                    "files": .integer(Int64(result.files)), "bytes": .integer(result.bytes),
                    "present": .integer(Int64(result.present)), "skipped": .array(result.skipped.map(JSONValue.string)),
                    "path": .string(result.path),
                ]
            }
            group.addTask {
                var told: (path: String, at: ContinuousClock.Instant)?
                for await step in progress {
                    // As often as people can read.
                    let now = ContinuousClock.now
                    if let told, told.path == step.path, step.done < step.total, now - told.at < .milliseconds(50) {
                        continue
                    }
                    told = (step.path, now)
                    try await report([
                        "path": .string(step.path), "done": .integer(step.done), "total": .integer(step.total),
                    ])
                }
                return nil
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            return .null
        }
    }
}
