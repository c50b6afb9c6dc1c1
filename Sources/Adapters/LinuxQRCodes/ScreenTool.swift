/// A program that writes the whole screen as PNG to its standard output.
struct ScreenTool: Hashable, Sendable {
    let name: String
    /// The package that brings it, on Debian and its relatives.
    let package: String
    let arguments: [String]

    /// For X11, the ones that need least first.
    static let x11 = [
        ScreenTool(name: "maim", package: "maim", arguments: ["--hidecursor", "--format=png"]),
        ScreenTool(name: "import", package: "imagemagick", arguments: ["-silent", "-window", "root", "png:-"]),
        ScreenTool(name: "scrot", package: "scrot", arguments: ["--silent", "--overwrite", "-"]),
    ]

    /// For Wayland. X11's tools would see X11 windows only, and show the rest black.
    static let wayland = [
        ScreenTool(name: "grim", package: "grim", arguments: ["-t", "png", "-"])
    ]
}
