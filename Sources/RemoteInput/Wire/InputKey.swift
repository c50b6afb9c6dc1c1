/// A key by what it means: a character, or a named key. Names are those of browsers. Source: W3C, "UI Events KeyboardEvent key Values".
public enum InputKey: Hashable, Sendable {
    /// A key that produces this character in some layout. Never a control character.
    case character(Unicode.Scalar)
    case named(Name)

    /// The named keys, a closed set: no other one can be pressed from afar.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        case shift = "Shift"
        case control = "Control"
        case alt = "Alt"
        case altGraph = "AltGraph"
        /// Also called Super, Windows or Command.
        case meta = "Meta"
        case capsLock = "CapsLock"
        case enter = "Enter"
        case tab = "Tab"
        case backspace = "Backspace"
        case delete = "Delete"
        case escape = "Escape"
        case insert = "Insert"
        case home = "Home"
        case end = "End"
        case pageUp = "PageUp"
        case pageDown = "PageDown"
        case left = "ArrowLeft"
        case up = "ArrowUp"
        case right = "ArrowRight"
        case down = "ArrowDown"
        case contextMenu = "ContextMenu"
        case printScreen = "PrintScreen"
        case pause = "Pause"
        case f1 = "F1"
        case f2 = "F2"
        case f3 = "F3"
        case f4 = "F4"
        case f5 = "F5"
        case f6 = "F6"
        case f7 = "F7"
        case f8 = "F8"
        case f9 = "F9"
        case f10 = "F10"
        case f11 = "F11"
        case f12 = "F12"
        case playPause = "MediaPlayPause"
        case stop = "MediaStop"
        case nextTrack = "MediaTrackNext"
        case previousTrack = "MediaTrackPrevious"
        case volumeUp = "AudioVolumeUp"
        case volumeDown = "AudioVolumeDown"
        case mute = "AudioVolumeMute"
        case brightnessUp = "BrightnessUp"
        case brightnessDown = "BrightnessDown"
    }

    /// - Parameter text: A name, or one Unicode scalar that is no control character. Nil for anything else.
    public init?(_ text: String) {
        if let name = Name(rawValue: text) {
            self = .named(name)
            return
        }
        guard let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1, !scalar.isControl else {
            return nil
        }
        self = .character(scalar)
    }

    /// The wire's text.
    public var text: String {
        switch self {
        case .character(let scalar): String(Character(scalar))
        case .named(let name): name.rawValue
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is one that no key produces as a letter: C0, delete, C1.
    var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
