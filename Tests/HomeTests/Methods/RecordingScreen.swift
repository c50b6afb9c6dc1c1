import CommandServer
import Screen
import ScreenHost

/// Two displays that always show the same picture, each look at them noted.
final class RecordingScreen: ScreenAccess {
    private let picture: [UInt8]
    private let log: EffectLog

    init(_ picture: [UInt8], log: EffectLog) {
        self.picture = picture
        self.log = log
    }

    func displays() async throws -> [Display] {
        log.note("list the displays")
        return Display.numbered([
            Display(id: 0, name: "DP-1", x: 0, y: 0, width: 4, height: 2, isPrimary: true),
            Display(id: 0, name: "HDMI-1", x: 4, y: 0, width: 4, height: 2, isPrimary: false),
        ])
    }

    func capture(_ display: Display?) async throws -> [UInt8] {
        log.note("picture a display")
        return picture
    }

    func open(_ display: Display?) async throws -> any ScreenReader {
        throw ToolError.unsupported(purpose: "A live view")
    }
}
