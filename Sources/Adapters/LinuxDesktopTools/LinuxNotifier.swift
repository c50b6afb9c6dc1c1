package import CommandServer
import Kernel
import SystemTools

/// The session's notifications through notify-send, which every desktop's notification service understands.
package struct LinuxNotifier: DesktopNotifier {
    private static let tool = SystemTool("notify-send", package: "libnotify-bin")
    private let runner: ToolRunner

    /// - Parameter environment: Of the person's session.
    package init(environment: [String: String]) {
        runner = ToolRunner(environment: environment, timeout: .seconds(5))
    }

    package func notify(_ title: String, _ body: String) async throws {
        let arguments = ["--app-name=Tandem", "--", TerminalText.line(title), Self.markup(TerminalText.line(body))]
        let result = try await runner.run(Self.tool, arguments, outputLimit: 4096)
        guard result.isSuccess else { throw ToolError.failed(tool: Self.tool.name, reason: result.complaint) }
    }

    /// Services read a body as HTML. Source: the Desktop Notifications Specification, "Markup".
    private static func markup(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// What `tandem doctor` tells of it.
    package static func checks(environment: [String: String]) -> [DoctorCheck] {
        let isThere = LinuxNotifier(environment: environment).runner.isInstalled(tool)
        guard isThere else {
            let missing = ToolError.missing(tool: tool.name, package: tool.package)
            return [DoctorCheck(name: "Notifications", failure: missing)]
        }
        return [DoctorCheck(name: "Notifications", works: true, detail: "shown by \(tool.name)")]
    }
}
