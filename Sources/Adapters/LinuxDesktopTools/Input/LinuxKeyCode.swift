import RemoteInput

/// The kernel's numbers of keys and buttons. Source: `linux/input-event-codes.h`.
enum LinuxKeyCode {
    /// A key of a keyboard with the American layout, and whether Shift makes it produce the character.
    struct Place: Hashable {
        let code: UInt16
        let isShifted: Bool
    }

    static let shift: UInt16 = 42

    static func of(_ button: InputEvent.Button) -> UInt32 {
        switch button {
        case .left: 0x110
        case .right: 0x111
        case .middle: 0x112
        case .back: 0x113
        case .forward: 0x114
        }
    }

    static func of(_ key: InputKey) -> UInt16? {
        switch key {
        case .named(let name): named[name]
        case .character(let scalar): characters[scalar]?.code
        }
    }

    /// Nil for what that layout does not have.
    static func place(of scalar: Unicode.Scalar) -> Place? {
        switch scalar {
        case "\n": Place(code: 28, isShifted: false)
        case "\t": Place(code: 15, isShifted: false)
        default: characters[scalar]
        }
    }

    /// The numbers of all keys above, for a device that has to say which ones it has.
    static var all: Set<UInt16> { Set(named.values).union(characters.values.map(\.code)) }

    private static let named: [InputKey.Name: UInt16] = [
        .shift: 42, .control: 29, .alt: 56, .altGraph: 100, .meta: 125, .capsLock: 58, .enter: 28, .tab: 15,
        .backspace: 14, .delete: 111, .escape: 1, .insert: 110, .home: 102, .end: 107, .pageUp: 104, .pageDown: 109,
        .left: 105, .up: 103, .right: 106, .down: 108, .contextMenu: 127, .printScreen: 99, .pause: 119, .f1: 59,
        .f2: 60, .f3: 61, .f4: 62, .f5: 63, .f6: 64, .f7: 65, .f8: 66, .f9: 67, .f10: 68, .f11: 87, .f12: 88,
        .playPause: 164, .stop: 166, .nextTrack: 163, .previousTrack: 165, .volumeUp: 115, .volumeDown: 114, .mute: 113,
        .brightnessUp: 225, .brightnessDown: 224,
    ]

    /// Rows of a keyboard: the first key's number, what its keys produce, and what they produce with Shift.
    private static let rows: [(first: UInt16, plain: String, shifted: String)] = [
        (2, "1234567890-=", "!@#$%^&*()_+"), (16, "qwertyuiop[]", "QWERTYUIOP{}"),
        (30, "asdfghjkl;'`", "ASDFGHJKL:\"~"),
        (43, "\\zxcvbnm,./", "|ZXCVBNM<>?"), (57, " ", " "),
    ]

    private static let characters: [Unicode.Scalar: Place] = rows.reduce(into: [:]) { places, row in
        for (letters, isShifted) in [(row.shifted, true), (row.plain, false)] {
            for (index, scalar) in letters.unicodeScalars.enumerated() {
                places[scalar] = Place(code: row.first + UInt16(index), isShifted: isShifted)
            }
        }
    }
}
