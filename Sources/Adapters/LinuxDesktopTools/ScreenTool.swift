import Screen
import SystemTools

/// A program that writes the screen as PNG to its standard output.
struct ScreenTool: Sendable {
    let tool: SystemTool
    /// The arguments for one display, or for everything there is.
    let arguments: @Sendable (Display?) -> [String]

    /// The tools for X11, the ones that need least first.
    static let x11 = [
        ScreenTool(tool: SystemTool("maim", package: "maim")) { display in
            ["--hidecursor", "--format=png"] + (display.map { ["--geometry=\(geometry(of: $0))"] } ?? [])
        },
        ScreenTool(tool: SystemTool("import", package: "imagemagick")) { display in
            ["-silent", "-window", "root"] + (display.map { ["-crop", geometry(of: $0), "+repage"] } ?? []) + ["png:-"]
        },
        ScreenTool(tool: SystemTool("scrot", package: "scrot")) { display in
            ["--silent", "--overwrite"]
                + (display.map { ["--autoselect", "\($0.x),\($0.y),\($0.width),\($0.height)"] } ?? []) + ["-"]
        },
    ]

    /// The tools for Wayland. X11's tools would see X11 windows only, and show the rest black.
    static let wayland = [
        ScreenTool(tool: SystemTool("grim", package: "grim")) { display in
            ["-t", "png"] + (display.map { ["-o", $0.name] } ?? []) + ["-"]
        }
    ]

    private static func geometry(of display: Display) -> String {
        "\(display.width)x\(display.height)+\(display.x)+\(display.y)"
    }
}
