import CommandServer
import Kernel
package import RemoteInput
package import RemoteInputHost
import Screen
import SystemTools

/// The pointer and the keyboard of the person's session: by XTEST in an X11 session, by virtual devices where
/// a Wayland compositor takes them, and by the kernel elsewhere in Wayland where this user may.
package struct LinuxInput: InputAccess {
    private static let purpose = "Remote input"

    private let environment: [String: String]
    private let runner: ToolRunner
    private let work = BlockingWork("tandem.input.open", width: 1)

    /// - Parameter environment: Of the person's session.
    package init(environment: [String: String]) {
        self.environment = environment
        runner = ToolRunner(environment: environment)
    }

    package func open(
        for phone: String,
        ended: @escaping @Sendable (InputEnd.Cause) -> Void
    ) async throws -> any InputDevice {
        switch try place() {
        case .x11(let display, let authority):
            try await work.finish { try XInput.open(display, authority: authority, phone: phone, ended: ended) }
        case .wayland(let display, let folder):
            try await work.finish { () throws -> any InputDevice in
                do {
                    return try WaylandInput.open(display, folder: folder, ended: ended)
                } catch  where KernelInput.isAllowed {
                    return try KernelInput.open()
                }
            }
        }
    }

    package func way() async throws -> String {
        switch try place() {
        case .x11(let display, let authority):
            try await work.run { try XInput.check(display, authority: authority) }
            return "x11"
        case .wayland(let display, let folder):
            return try await work.run {
                do {
                    try WaylandInput.check(display, folder: folder)
                    return "wlroots"
                } catch  where KernelInput.isAllowed {
                    return "uinput"
                }
            }
        }
    }

    package func areas() async throws -> [InputArea] {
        try await LinuxScreen(environment: environment).displays().map {
            InputArea(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
        }
    }

    package func recover() async {
        // A compositor lets go by itself, and a server that is gone holds nothing down.
        guard case .x11(let display, let authority)? = try? place() else { return }
        try? await work.finish { try XInput.releaseAll(display, authority: authority) }
    }

    private enum Place {
        case x11(XDisplay, authority: String?)
        case wayland(String, folder: String)
    }

    private func place() throws -> Place {
        switch try GraphicalSession(runner, for: Self.purpose) {
        case .x11:
            guard let name = runner.variable("DISPLAY"), let display = XDisplay(name) else {
                throw InputError.impossible(
                    reason: "The computer's X server is another machine's. Start Tandem on the machine with the screen."
                )
            }
            let authority = runner.variable("XAUTHORITY") ?? runner.variable("HOME").map { $0 + "/.Xauthority" }
            return .x11(display, authority: authority)
        case .wayland:
            return .wayland(runner.variable("WAYLAND_DISPLAY") ?? "", folder: runner.variable("XDG_RUNTIME_DIR") ?? "")
        }
    }
}
