import Commands
import Kernel

/// One thing that a person does with the pointer or the keyboard. Source: `docs/remote-input.md`, "Events".
public enum InputEvent: Hashable, Sendable {
    /// Moves the pointer by so many pixels, parts of a pixel included.
    case move(dx: Double, dy: Double)
    /// Puts the pointer on a pixel of a display, as `display.list` numbers them and its picture shows them in full size.
    case place(x: Double, y: Double, display: Int)
    case button(Button, Press)
    /// Turns the wheel by so many notches, parts of one included: `dy` above 0 is down, `dx` above 0 is to the right.
    case wheel(dx: Double, dy: Double)
    case key(InputKey, Press)
    /// Types a text, whatever the computer's layout of keys. Line breaks are the Enter key, tabs the Tab key.
    case text(String)
    /// Lets go of everything that is held down.
    case release

    /// The pointer's buttons, a closed set.
    public enum Button: String, Hashable, Sendable, CaseIterable {
        case left, middle, right, back, forward
    }

    /// The part of a press that an event stands for.
    public enum Press: String, Hashable, Sendable, CaseIterable {
        case down, up
        /// Down and up again.
        case tap
    }

    /// Bytes of one text.
    public static let textLimit = 4096
    /// The farthest move in one event, in pixels.
    static let farthest = 32_768.0
    /// Notches in one event.
    static let notches = 100.0

    /// Reads one event.
    ///
    /// - Returns: Nil for a type that this version does not know.
    /// - Throws: ``RemoteFailure`` with -32602, naming what does not fit.
    init?(wire: JSONValue) throws(RemoteFailure) {
        let members = RemoteParameters(wire)
        func number(_ name: String, _ most: Double) throws(RemoteFailure) -> Double {
            guard let number = try members.optionalNumber(name, in: -most...most) else {
                throw .badParameter(name, "a number from \(-most) to \(most)")
            }
            return number
        }
        func press() throws(RemoteFailure) -> Press { try members.choice("press", of: Press.self) ?? .tap }
        switch try members.text("type", limit: 32) {
        case "move":
            self = .move(dx: try number("dx", Self.farthest), dy: try number("dy", Self.farthest))
        case "position":
            self = .place(
                x: try number("x", Self.farthest),
                y: try number("y", Self.farthest),
                display: Int(try members.optionalInteger("display", in: 0...255) ?? 0)
            )
        case "button":
            self = .button(try members.choice("button", of: Button.self) ?? .left, try press())
        case "wheel":
            self = .wheel(dx: try number("dx", Self.notches), dy: try number("dy", Self.notches))
        case "key":
            guard let key = InputKey(try members.text("key", limit: 32)) else {
                throw .badParameter("key", "one character, or the name of a key such as Enter or ArrowLeft")
            }
            self = .key(key, try press())
        case "text":
            self = .text(try members.text("text", limit: Self.textLimit))
        case "release":
            self = .release
        default:
            return nil
        }
    }

    /// The form that our phones send.
    var wire: JSONValue {
        switch self {
        case .move(let dx, let dy): ["type": "move", "dx": .number(dx), "dy": .number(dy)]
        case .place(let x, let y, let display):
            ["type": "position", "x": .number(x), "y": .number(y), "display": .integer(Int64(display))]
        case .button(let button, let press):
            ["type": "button", "button": .string(button.rawValue), "press": .string(press.rawValue)]
        case .wheel(let dx, let dy): ["type": "wheel", "dx": .number(dx), "dy": .number(dy)]
        case .key(let key, let press):
            ["type": "key", "key": .string(key.text), "press": .string(press.rawValue)]
        case .text(let text): ["type": "text", "text": .string(text)]
        case .release: ["type": "release"]
        }
    }
}
