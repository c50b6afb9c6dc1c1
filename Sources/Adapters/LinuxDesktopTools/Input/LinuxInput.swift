import CommandServer
package import Kernel
import RemoteInput
package import RemoteInputHost
import Screen
import SystemTools

/// The pointer and the keyboard of the person's session: by XTEST in an X11 session, by virtual devices where
/// a Wayland compositor takes them, elsewhere in Wayland by the desktop's portal, and by the kernel where this user may.
package struct LinuxInput: InputAccess {
    private static let purpose = "Remote input"

    private let environment: [String: String]
    private let runner: ToolRunner
    private let time: any TimeSource
    private let work = BlockingWork("tandem.input.open", width: 1)

    /// - Parameter environment: Of the person's session.
    package init(environment: [String: String], time: any TimeSource = .system) {
        self.environment = environment
        self.time = time
        runner = ToolRunner(environment: environment)
    }

    package func open(_ opening: InputOpening) async throws -> any InputDevice {
        switch try place() {
        case .x11(let display, let authority):
            return try await work.finish {
                try XInput.open(display, authority: authority, phone: opening.phone, ended: opening.ended)
            }
        case .wayland(let display, let folder):
            let device = try await openWayland(opening, display: display, folder: folder)
            let notice = await StopNotice.show(for: opening.phone, environment: environment, time: time) {
                opening.ended(.owner)
            }
            return notice.map { NoticedInput(device, $0) } ?? device
        }
    }

    private func openWayland(_ opening: InputOpening, display: String, folder: String) async throws -> any InputDevice {
        let refusal: InputError
        do {
            return try await work.finish { try WaylandInput.open(display, folder: folder, ended: opening.ended) }
        } catch let error as InputError {
            refusal = error
        }
        do {
            return try await PortalInput.open(opening, environment: environment, work: work, time: time)
        } catch let error as InputError {
            // A person who said no has said no to every way.
            guard case .impossible = error else { throw error }
            guard KernelInput.isAllowed else { throw Self.impossible(refusal, error) }
            return try await work.finish { try KernelInput.open() }
        }
    }

    private static func impossible(_ compositor: InputError, _ portal: InputError) -> InputError {
        .impossible(reason: "\(compositor) \(portal) \(KernelInput.closed)")
    }

    package func way() async throws -> String {
        switch try place() {
        case .x11(let display, let authority):
            try await work.run { try XInput.check(display, authority: authority) }
            return "x11"
        case .wayland(let display, let folder):
            let refusal: InputError
            do {
                try await work.run { try WaylandInput.check(display, folder: folder) }
                return "wlroots"
            } catch let error as InputError {
                refusal = error
            }
            do {
                try await PortalInput.check(environment, time: time)
                return "portal"
            } catch {
                guard KernelInput.isAllowed else { throw Self.impossible(refusal, error) }
                return "uinput"
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
