import RemoteInput

/// The keys and buttons that a phone holds down, in the order in which they went down.
struct HeldInput: Hashable, Sendable {
    private enum Held: Hashable {
        case key(InputKey)
        case button(InputEvent.Button)
    }

    /// More than fingers hold; beyond that the first is let go of.
    static let limit = 16

    private var held: [Held] = []

    var isEmpty: Bool { held.isEmpty }

    /// The steps of an event other than a place, and what is held after them.
    mutating func actions(of event: InputEvent) -> [InputAction] {
        switch event {
        case .move(let dx, let dy): [.move(dx: dx, dy: dy)]
        case .wheel(let dx, let dy): [.wheel(dx: dx, dy: dy)]
        case .button(let button, let press): actions(of: .button(button), press)
        case .key(let key, let press): actions(of: .key(key), press)
        case .text(let text): Self.typed(text).map { [.text($0)] } ?? []
        case .release: release()
        case .place: []
        }
    }

    /// The steps that let go of everything, the last first.
    mutating func release() -> [InputAction] {
        defer { held = [] }
        return held.reversed().map { Self.action($0, isDown: false) }
    }

    private mutating func actions(of one: Held, _ press: InputEvent.Press) -> [InputAction] {
        let isHeld = held.contains(one)
        held.removeAll { $0 == one }
        switch press {
        case .down:
            var actions = [Self.action(one, isDown: true)]
            held.append(one)
            if held.count > Self.limit { actions.append(Self.action(held.removeFirst(), isDown: false)) }
            // A key that is down already is repeated by its system.
            return isHeld ? [] : actions
        case .up: return isHeld ? [Self.action(one, isDown: false)] : []
        case .tap:
            return isHeld
                ? [Self.action(one, isDown: false)] : [Self.action(one, isDown: true), Self.action(one, isDown: false)]
        }
    }

    private static func action(_ held: Held, isDown: Bool) -> InputAction {
        switch held {
        case .key(let key): .key(key, isDown: isDown)
        case .button(let button): .button(button, isDown: isDown)
        }
    }

    /// A text with one kind of line break and no other control characters; nil for nothing.
    static func typed(_ text: String) -> String? {
        var typed = ""
        var follows = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r": typed.unicodeScalars.append("\n")
            case "\n" where follows: break
            case "\n", "\t": typed.unicodeScalars.append(scalar)
            case _ where InputKey(String(Character(scalar))) != nil: typed.unicodeScalars.append(scalar)
            default: break
            }
            follows = scalar == "\r"
        }
        return typed.isEmpty ? nil : typed
    }
}
