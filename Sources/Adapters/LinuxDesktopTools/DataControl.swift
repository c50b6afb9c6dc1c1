import CommandServer
import SystemTools

/// Whether programs see the clipboard of a Wayland session without a window of their own (the data-control protocol).
///
/// Where they do not, as with GNOME, each `wl-paste` makes a window that takes the focus from what the person types in. `wl-paste
/// --watch` needs the protocol and says at once that it is missing, so it is asked once.
actor DataControl {
    /// How long `wl-paste` may take to refuse; where it does not, it would watch for ever.
    static let patience: Duration = .seconds(2)

    private let runner: ToolRunner
    private let paste: SystemTool
    private var asked: Task<(isThere: Bool, isKept: Bool), any Error>?

    init(_ runner: ToolRunner, paste: SystemTool) {
        self.runner = runner
        self.paste = paste
    }

    /// - Throws: `ToolError`.
    func isThere() async throws -> Bool {
        if let asked { return try await asked.value.isThere }
        // The first clipboard that it sees ends it.
        let asked = Task { [runner, paste] () async throws -> (isThere: Bool, isKept: Bool) in
            do {
                let script = ["--watch", "sh", "-c", "echo; kill $PPID"]
                let result = try await runner.run(paste, script, outputLimit: 4096)
                if !result.output.isEmpty { return (true, true) }
                // Anything else is about this moment, for example a compositor that is not there.
                return (false, result.complaint.isEmpty || result.complaint.contains("data-control"))
            } catch ToolError.timedOut {
                return (true, true)
            }
        }
        self.asked = asked
        do {
            let found = try await asked.value
            if !found.isKept { self.asked = nil }
            return found.isThere
        } catch {
            self.asked = nil
            throw error
        }
    }
}
