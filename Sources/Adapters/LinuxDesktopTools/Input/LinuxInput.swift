import CommandServer
import Kernel
package import RemoteInput
package import RemoteInputHost
import Screen
import SystemTools

/// The pointer and the keyboard of the person's session: by XTEST in an X11 session.
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
        let (display, authority) = try place()
        return try await work.finish {
            try XInput.open(display, authority: authority, phone: phone, ended: ended)
        }
    }

    package func way() async throws -> String {
        let (display, authority) = try place()
        try await work.run { try XInput.check(display, authority: authority) }
        return "x11"
    }

    package func areas() async throws -> [InputArea] {
        try await LinuxScreen(environment: environment).displays().map {
            InputArea(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
        }
    }

    package func recover() async {
        guard let (display, authority) = try? place() else { return }
        // A server that is gone holds nothing down.
        try? await work.finish { try XInput.releaseAll(display, authority: authority) }
    }

    private func place() throws -> (XDisplay, authority: String?) {
        switch try GraphicalSession(runner, for: Self.purpose) {
        case .x11:
            guard let name = runner.variable("DISPLAY"), let display = XDisplay(name) else {
                throw InputError.impossible(
                    reason: "The computer's X server is another machine's. Start Tandem on the machine with the screen."
                )
            }
            return (display, runner.variable("XAUTHORITY") ?? runner.variable("HOME").map { $0 + "/.Xauthority" })
        case .wayland:
            throw InputError.impossible(
                reason: "The computer's Wayland compositor lets no program move its pointer. Use an X11 session there."
            )
        }
    }
}
