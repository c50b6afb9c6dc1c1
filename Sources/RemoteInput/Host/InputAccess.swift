package import Foundation
package import RemoteInput

/// A computer's way to its pointer and keyboard.
package protocol InputAccess: Sendable {
    /// Opens it for one phone.
    ///
    /// - Throws: ``InputError/impossible(reason:)``, ``InputError/declined(reason:)``; `CancellationError` when its task is cancelled while a
    ///   person is asked.
    func open(_ opening: InputOpening) async throws -> any InputDevice
    /// The name of the way that ``open(_:)`` would take. Asks no person.
    ///
    /// - Throws: ``InputError/impossible(reason:)``.
    func way() async throws -> String
    /// The displays in the order of their ids.
    ///
    /// - Throws: The reason why they are not known.
    func areas() async throws -> [InputArea]
    /// Lets go of what a program that was killed held down, where the system did not.
    func recover() async
}

/// One phone's wish for the pointer and the keyboard.
package struct InputOpening: Sendable {
    /// The phone's name, which is shown at the computer while it lasts.
    package var phone: String
    /// A folder of the owner's alone, for what a way has to remember until the next time.
    package var folder: URL
    /// Called when the person at the computer is asked, with the time that they have. May be called from any thread.
    package var asks: @Sendable (Duration) -> Void
    /// Called once when the person there ends it, or when it fails. May be called from any thread.
    package var ended: @Sendable (InputEnd.Cause) -> Void

    package init(
        phone: String,
        folder: URL,
        asks: @escaping @Sendable (Duration) -> Void = { _ in },
        ended: @escaping @Sendable (InputEnd.Cause) -> Void
    ) {
        self.phone = phone
        self.folder = folder
        self.asks = asks
        self.ended = ended
    }
}

/// A pointer and a keyboard that were opened.
package protocol InputDevice: Sendable {
    var facts: InputDeviceFacts { get }
    /// Does these in order, behind those of calls before, and then calls `done` once. Returns at once.
    func begin(_ actions: [InputAction], done: @escaping @Sendable (InputError?) -> Void)
    /// Undoes what it changed at the computer, and ends. What is held down was let go of before.
    func close() async
}

package struct InputDeviceFacts: Hashable, Sendable {
    /// As in ``InputSessionFacts/way``.
    package var way: String
    /// As in ``InputSessionFacts/typesText``.
    package var typesText: Bool
    /// As in ``InputSessionFacts/stopKey``.
    package var stopKey: String?
    /// As in ``InputSessionFacts/places``.
    package var places: Bool

    package init(way: String, typesText: Bool, stopKey: String?, places: Bool = true) {
        self.way = way
        self.typesText = typesText
        self.stopKey = stopKey
        self.places = places
    }
}

/// A rectangle of the desktop, in pixels.
package struct InputArea: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The smallest one around several; empty for none.
    package init(around areas: [InputArea]) {
        let left = areas.map(\.x).min() ?? 0
        let top = areas.map(\.y).min() ?? 0
        self.init(
            x: left,
            y: top,
            width: (areas.map { $0.x + $0.width }.max() ?? 0) - left,
            height: (areas.map { $0.y + $0.height }.max() ?? 0) - top
        )
    }
}

/// One step for a pointer or a keyboard: every press is a down or an up.
package enum InputAction: Hashable, Sendable {
    case move(dx: Double, dy: Double)
    /// A place on the desktop, of which `whole` is all.
    case place(x: Double, y: Double, whole: InputArea)
    case button(InputEvent.Button, isDown: Bool)
    case wheel(dx: Double, dy: Double)
    case key(InputKey, isDown: Bool)
    /// A text of characters, line breaks (`\n`) and tabs.
    case text(String)
}
