package import CommandServer
package import Screen
package import ScreenHost
import Synchronization

/// Screens that always show the same picture.
package final class InMemoryScreen: ScreenAccess {
    package static let twoDisplays = Display.numbered([
        Display(id: 0, name: "DP-1", x: 0, y: 0, width: 800, height: 600, isPrimary: false),
        Display(id: 0, name: "HDMI-1", x: 800, y: 0, width: 400, height: 300, isPrimary: true),
    ])

    package let picture: [UInt8]
    private let list: Result<[Display], ToolError>
    private let asked = Mutex<[String?]>([])

    package init(_ picture: [UInt8], _ list: Result<[Display], ToolError> = .success(InMemoryScreen.twoDisplays)) {
        self.picture = picture
        self.list = list
    }

    /// The names of the displays that were pictured.
    package var captured: [String?] { asked.withLock(\.self) }

    package func displays() async throws -> [Display] { try list.get() }

    package func capture(_ display: Display?) async throws -> [UInt8] {
        asked.withLock { $0.append(display?.name) }
        return picture
    }

    package func open(_ display: Display?) async throws -> any ScreenReader {
        throw ScreenError.notLive(reason: "These displays show one picture only.")
    }
}
