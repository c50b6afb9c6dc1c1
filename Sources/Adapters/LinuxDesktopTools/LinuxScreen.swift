package import Capabilities
import CommandServer
package import Kernel
package import Screen
package import ScreenHost
import SystemTools

/// The session's screens, listed and pictured by the programs that are installed for its kind.
package struct LinuxScreen: ScreenAccess {
    private static let xrandr = SystemTool("xrandr", package: "x11-xserver-utils")
    private static let wlrRandr = SystemTool("wlr-randr", package: "wlr-randr")
    private static let swaymsg = SystemTool("swaymsg", package: "sway")

    /// Connects to the server, and asks it a few things.
    private static let opening = BlockingWork("tandem.screen.open", width: 1)

    private let runner: ToolRunner
    private let byteLimit: Int

    /// - Parameters:
    ///   - environment: Of the person's session: says which screen there is, and where programs are.
    ///   - timeout: For one program. A compositor may ask the person, or never answer.
    ///   - byteLimit: Of a picture.
    package init(
        environment: [String: String],
        time: any TimeSource = .system,
        timeout: Duration = .seconds(15),
        byteLimit: Int = 64 << 20
    ) {
        runner = ToolRunner(environment: environment, time: time, timeout: timeout)
        self.byteLimit = byteLimit
    }

    package func displays() async throws -> [Display] {
        let displays: [Display]
        switch try session() {
        case .x11:
            displays = DisplayList.xrandr(try await list(Self.xrandr, ["--listmonitors"]).text)
        case .wayland where runner.variable("SWAYSOCK") != nil && runner.isInstalled(Self.swaymsg):
            displays = DisplayList.sway(try await list(Self.swaymsg, ["-t", "get_outputs", "--raw"]).output)
        case .wayland:
            displays = DisplayList.wlrRandr(try await list(Self.wlrRandr, []).text)
        }
        guard !displays.isEmpty else {
            throw ToolError.failed(tool: "The list of displays", reason: "it names none")
        }
        return displays
    }

    package func capture(_ display: Display?) async throws -> [UInt8] {
        let tools = try session() == .wayland ? ScreenTool.wayland : ScreenTool.x11
        guard let preferred = tools.first?.tool else { throw ToolError.noSession(purpose: Self.purpose) }
        var failure = ToolError.missing(tool: preferred.name, package: preferred.package)
        for tool in tools where runner.isInstalled(tool.tool) {
            do {
                let result = try await runner.run(tool.tool, tool.arguments(display), outputLimit: byteLimit)
                if result.isSuccess, !result.output.isEmpty { return result.output }
                let reason = result.complaint.isEmpty ? "it gave no picture" : result.complaint
                failure = .failed(tool: tool.tool.name, reason: reason)
            } catch let error as ToolError {
                failure = error  // another program may know this screen better
            }
        }
        throw failure
    }

    package func open(_ display: Display?) async throws -> any ScreenReader {
        if try session() == .wayland {
            let (name, folder) = (runner.variable("WAYLAND_DISPLAY") ?? "", runner.variable("XDG_RUNTIME_DIR") ?? "")
            return try await Self.opening.finish {
                try WaylandScreenReader.open(name, folder: folder, output: display?.name)
            }
        }
        guard let name = runner.variable("DISPLAY"), let server = XDisplay(name) else {
            throw ScreenError.notLive(
                reason: "The computer's X server is another machine's. Start Tandem on the machine with the screen."
            )
        }
        let authority = runner.variable("XAUTHORITY") ?? runner.variable("HOME").map { $0 + "/.Xauthority" }
        return try await Self.opening.finish { try XScreenReader.open(server, authority: authority, display: display) }
    }

    private static let purpose = "The screen"

    private func session() throws(ToolError) -> GraphicalSession { try GraphicalSession(runner, for: Self.purpose) }

    private func list(_ tool: SystemTool, _ arguments: [String]) async throws -> ToolResult {
        try await runner.run(tool, arguments, outputLimit: 1 << 20).successful(tool)
    }

    /// The checks of the screen for `tandem doctor`.
    package static func checks(environment: [String: String]) async -> [DoctorCheck] {
        let screen = LinuxScreen(environment: environment)
        return [
            await .finding("Displays") {
                let names = try await screen.displays().map { "\($0.name) \($0.width)x\($0.height)" }
                return (names.joined(separator: ", "), nil, nil)
            },
            await .finding("Screen") {
                let bytes = try await screen.capture(nil).count
                return ("read as a picture of \(bytes) bytes", "screenRead", ["bytes": .integer(Int64(bytes))])
            },
        ]
    }
}
