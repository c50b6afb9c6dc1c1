import RemoteInput

/// The number by which X11, Wayland and portals know what a key produces. Source: X11 protocol, appendix A; `keysymdef.h`; `XF86keysym.h`.
struct KeySymbol: Hashable, Sendable {
    let value: UInt32

    init(_ value: UInt32) { self.value = value }

    init(_ key: InputKey) {
        switch key {
        case .character(let scalar): self.init(scalar)
        case .named(let name): self.init(Self.named[name] ?? 0)
        }
    }

    /// Latin-1 has the numbers of Unicode; every other character has those above 0x01000000.
    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x0A, 0x0D: value = 0xFF0D
        case 0x09: value = 0xFF09
        case 0x20...0x7E, 0xA0...0xFF: value = scalar.value
        default: value = 0x0100_0000 | scalar.value
        }
    }

    static let shift = KeySymbol(0xFFE1)

    private static let named: [InputKey.Name: UInt32] = [
        .shift: 0xFFE1, .control: 0xFFE3, .alt: 0xFFE9, .altGraph: 0xFE03, .meta: 0xFFEB, .capsLock: 0xFFE5,
        .enter: 0xFF0D, .tab: 0xFF09, .backspace: 0xFF08, .delete: 0xFFFF, .escape: 0xFF1B, .insert: 0xFF63,
        .home: 0xFF50, .end: 0xFF57, .pageUp: 0xFF55, .pageDown: 0xFF56, .left: 0xFF51, .up: 0xFF52, .right: 0xFF53,
        .down: 0xFF54, .contextMenu: 0xFF67, .printScreen: 0xFF61, .pause: 0xFF13, .f1: 0xFFBE, .f2: 0xFFBF,
        .f3: 0xFFC0, .f4: 0xFFC1, .f5: 0xFFC2, .f6: 0xFFC3, .f7: 0xFFC4, .f8: 0xFFC5, .f9: 0xFFC6, .f10: 0xFFC7,
        .f11: 0xFFC8, .f12: 0xFFC9, .playPause: 0x1008_FF14, .stop: 0x1008_FF15, .nextTrack: 0x1008_FF17,
        .previousTrack: 0x1008_FF16, .volumeUp: 0x1008_FF13, .volumeDown: 0x1008_FF11, .mute: 0x1008_FF12,
        .brightnessUp: 0x1008_FF02, .brightnessDown: 0x1008_FF03,
    ]
}
