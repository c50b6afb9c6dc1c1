import CommandServer
import SystemTools

/// The window system of the person's session.
enum GraphicalSession: Hashable, Sendable {
    case wayland, x11

    /// A Wayland session often has a DISPLAY too, for old programs: X11's tools would see only those.
    init(_ runner: ToolRunner, for purpose: String) throws(ToolError) {
        if runner.variable("WAYLAND_DISPLAY") != nil {
            self = .wayland
        } else if runner.variable("DISPLAY") != nil {
            self = .x11
        } else {
            throw .noSession(purpose: purpose)
        }
    }
}
