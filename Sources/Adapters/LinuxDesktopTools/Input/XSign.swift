import CXCB
import Glibc
import Kernel

/// A small window above all others that says which phone controls the computer. Belongs to the thread that waits for events.
struct XSign: Sendable {
    private static let height: UInt16 = 26
    private static let padding: Int16 = 12
    /// Fonts with the letters of many scripts first; every server has the last one.
    private static let fonts = [
        "-misc-fixed-medium-r-normal--18-*-*-*-*-*-iso10646-1", "-misc-fixed-medium-r-*--*-*-*-*-*-*-iso10646-1",
        "fixed",
    ]
    private static let (expose, visibility): (UInt8, UInt8) = (12, 15)

    private let window: UInt32
    private let context: UInt32
    /// UCS-2, the only letters that core text knows.
    private let text: [UInt16]

    init(_ connection: OpaquePointer, screen: xcb_screen_t, phone: String, stopKey: String?) {
        let way = stopKey.map { "\($0) or a click here ends it." } ?? "A click here ends it."
        let name = TerminalText.line(phone).prefix(40)
        let line = "\(name) controls this computer. \(way)"
        text = line.utf16.prefix(200).map { (0xD800...0xDFFF).contains($0) ? 0x3F : $0 }
        window = xcb_generate_id(connection)
        context = xcb_generate_id(connection)
        let font = xcb_generate_id(connection)
        for name in Self.fonts {
            let refusal = xcb_request_check(
                connection,
                xcb_open_font_checked(connection, font, UInt16(name.utf8.count), name)
            )
            defer { free(refusal) }
            if refusal == nil { break }
        }
        let width = Self.width(of: text, font, connection)
        let left = (Int16(clamping: Int(screen.width_in_pixels)) - Int16(clamping: Int(width))) / 2
        // Background, no window manager, events: a button, drawing, something above.
        let values: [UInt32] = [screen.black_pixel, 1, 1 << 2 | 1 << 15 | 1 << 16]
        xcb_create_window(
            connection,
            0,
            window,
            screen.root,
            max(0, left),
            0,
            width,
            Self.height,
            0,
            1,
            screen.root_visual,
            1 << 1 | 1 << 9 | 1 << 11,
            values
        )
        let title = "Tandem"
        xcb_change_property(connection, 0, window, 39, 31, 8, UInt32(title.utf8.count), title)
        // Foreground, background and font.
        let colours: [UInt32] = [screen.white_pixel, screen.black_pixel, font]
        xcb_create_gc(connection, context, window, 1 << 2 | 1 << 3 | 1 << 14, colours)
        xcb_close_font(connection, font)
        xcb_map_window(connection, window)
        xcb_flush(connection)
    }

    /// Draws it again, and lifts it above what covered it.
    func take(_ event: UInt8, _ connection: OpaquePointer?) {
        guard let connection else { return }
        switch event {
        case Self.expose:
            // The higher byte first.
            let letters = text.map { xcb_char2b_t(byte1: UInt8($0 >> 8), byte2: UInt8($0 & 0xFF)) }
            xcb_image_text_16(
                connection,
                UInt8(clamping: letters.count),
                window,
                context,
                Self.padding,
                18,
                letters
            )
        case Self.visibility:
            // Where another window does the same, both would go on for ever: a moment lies between.
            usleep(200_000)
            xcb_configure_window(connection, window, 1 << 6, [UInt32(0)])
        default: return
        }
        xcb_flush(connection)
    }

    private static func width(of text: [UInt16], _ font: UInt32, _ connection: OpaquePointer) -> UInt16 {
        let letters = text.map { xcb_char2b_t(byte1: UInt8($0 >> 8), byte2: UInt8($0 & 0xFF)) }
        let asked = xcb_query_text_extents(connection, font, UInt32(letters.count), letters)
        let reply = xcb_query_text_extents_reply(connection, asked, nil)
        defer { free(reply) }
        return UInt16(clamping: Int(reply?.pointee.overall_width ?? Int32(letters.count * 9)) + 2 * Int(padding))
    }
}
