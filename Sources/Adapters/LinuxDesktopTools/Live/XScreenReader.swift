import CXCB
import Glibc
import Pictures
import Screen
import ScreenHost
import Synchronization

/// Reads a part of an X server's root window: what its extension DAMAGE says that changed, through memory that it shares by MIT-SHM. Without
/// the first everything is read each time, without the second through the connection. Sources: "The DAMAGE Extension", version 1.1;
/// "MIT-SHM", version 1.2; "The XFIXES Extension", version 5.
final class XScreenReader: JPEGScreenReader {
    /// How long the pointer may be elsewhere before that is seen, in milliseconds: the server tells of no move.
    private static let pointerTime: Int32 = 40
    /// The event and masks of core requests.
    private static let (configureNotify, structureMask, allPlanes): (UInt8, UInt32, UInt32) = (22, 1 << 17, .max)

    private struct State {
        /// The address of the connection, which is no value that threads may share by itself. 0 once it is closed.
        var connection: UInt
        let root: UInt32
        let rootSize: PictureDimensions
        let damage: (id: UInt32, event: UInt8)?
        let cursorEvent: UInt8?
        var memory: SharedMemory?
        /// What changed since the last look, on the root window.
        var changed: ScreenArea?
        var pointer: ScreenPointer?
        var pointerPlace: (x: Int16, y: Int16)?
        var hasNewPointer = true
    }

    private struct SharedMemory {
        let segment: UInt32
        let address: UInt
    }

    let size: PictureDimensions
    private let area: ScreenArea
    private let state: Mutex<State>

    private init(_ state: consuming sending State, _ area: ScreenArea) {
        self.area = area
        size = PictureDimensions(width: area.width, height: area.height)
        self.state = Mutex(state)
    }

    /// - Parameter display: Nil for the whole root window.
    /// - Throws: ``ScreenError/notLive(reason:)``.
    static func open(_ server: XDisplay, authority: String?, display: Display?) throws(ScreenError) -> XScreenReader {
        guard let connection = server.connect(authority: authority) else { throw silent }
        guard xcb_connection_has_error(connection) == 0, let setup = xcb_get_setup(connection),
            let screen = xcb_setup_roots_iterator(setup).data?.pointee
        else {
            xcb_disconnect(connection)
            throw silent
        }
        let rootSize = PictureDimensions(width: Int(screen.width_in_pixels), height: Int(screen.height_in_pixels))
        let whole = ScreenArea(x: 0, y: 0, width: rootSize.width, height: rootSize.height)
        let wanted = display.map { ScreenArea(x: $0.x, y: $0.y, width: $0.width, height: $0.height) } ?? whole
        guard let area = wanted.common(with: whole), hasPlainPixels(setup, screen) else {
            xcb_disconnect(connection)
            throw .notLive(
                reason:
                    "The computer's X server keeps its pixels in a way that Tandem does not read live. Take pictures instead."
            )
        }
        // 0: no event of the server's own has it.
        var events: [UInt32] = [structureMask]
        xcb_change_window_attributes(connection, screen.root, UInt32(XCB_CW_EVENT_MASK.rawValue), &events)
        let state = State(
            connection: UInt(bitPattern: connection),
            root: screen.root,
            rootSize: rootSize,
            damage: watchDamage(connection, screen.root),
            cursorEvent: watchCursor(connection, screen.root),
            memory: share(connection, bytes: area.pixels * 4),
            changed: area
        )
        return XScreenReader(state, area)
    }

    func wait(atMost milliseconds: Int32) throws -> Bool {
        try state.withLock { state in
            let connection = try Self.connection(state)
            var rest = milliseconds
            while true {
                try Self.takeEvents(&state, connection, area)
                let isElsewhere = Self.pointerMoved(&state, connection)
                if isElsewhere || state.hasNewPointer && state.cursorEvent != nil || state.changed != nil {
                    return true
                }
                guard rest > 0 else { return false }
                let turn = min(rest, Self.pointerTime)
                rest -= turn
                var polled = pollfd(fd: xcb_get_file_descriptor(connection), events: Int16(POLLIN), revents: 0)
                xcb_flush(connection)
                _ = poll(&polled, 1, turn)
                // Without DAMAGE everything may have changed.
                if state.damage == nil, rest <= 0 || turn == Self.pointerTime { state.changed = area }
            }
        }
    }

    func look(_ take: (ScreenPiece) -> Void) throws -> ScreenPointer? {
        try state.withLock { state in
            let connection = try Self.connection(state)
            try Self.takeEvents(&state, connection, area)
            if let damage = state.damage {
                // Before it is read: what is drawn from now on is told anew.
                xcb_damage_subtract(connection, damage.id, 0, 0)
            }
            if let changed = state.changed?.common(with: area) {
                state.changed = nil
                try Self.read(changed, state, connection) { pixels in
                    let place = ScreenArea(
                        x: changed.x - area.x,
                        y: changed.y - area.y,
                        width: changed.width,
                        height: changed.height
                    )
                    take(ScreenPiece(area: place, pixels: pixels, stride: changed.width))
                }
            }
            state.changed = nil
            if state.cursorEvent != nil { state.pointer = Self.pointer(&state, connection, area) }
            return state.pointer
        }
    }

    func close() {
        state.withLock { state in
            guard let connection = OpaquePointer(bitPattern: state.connection) else { return }
            state.connection = 0
            xcb_disconnect(connection)
            if let memory = state.memory { shmdt(UnsafeRawPointer(bitPattern: memory.address)) }
            state.memory = nil
        }
    }

    deinit { close() }

    // MARK: The server

    private static let silent = ScreenError.notLive(
        reason: "The computer's X server does not answer Tandem. Start Tandem from inside the session."
    )

    private static func connection(_ state: State) throws(ScreenReaderError) -> OpaquePointer {
        guard let connection = OpaquePointer(bitPattern: state.connection), xcb_connection_has_error(connection) == 0
        else {
            throw .failed
        }
        return connection
    }

    /// Whether a pixel has four bytes, blue first.
    private static func hasPlainPixels(_ setup: UnsafePointer<xcb_setup_t>, _ screen: xcb_screen_t) -> Bool {
        guard setup.pointee.image_byte_order == UInt8(XCB_IMAGE_ORDER_LSB_FIRST.rawValue) else { return false }
        let formats = UnsafeBufferPointer(
            start: xcb_setup_pixmap_formats(setup),
            count: Int(xcb_setup_pixmap_formats_length(setup))
        )
        let hasFour = formats.contains { $0.depth == screen.root_depth && $0.bits_per_pixel == 32 }
        return hasFour && (screen.root_depth == 24 || screen.root_depth == 32)
    }

    private static func watchDamage(_ connection: OpaquePointer, _ root: UInt32) -> (id: UInt32, event: UInt8)? {
        guard let facts = xcb_get_extension_data(connection, tandem_xcb_damage()), facts.pointee.present != 0 else {
            return nil
        }
        // The extension serves nobody who has not said which version of it is meant.
        let version = xcb_damage_query_version_reply(connection, xcb_damage_query_version(connection, 1, 1), nil)
        free(version)
        let id = xcb_generate_id(connection)
        let level = UInt8(XCB_DAMAGE_REPORT_LEVEL_BOUNDING_BOX.rawValue)
        let refusal = xcb_request_check(connection, xcb_damage_create_checked(connection, id, root, level))
        free(refusal)
        return version == nil || refusal != nil ? nil : (id, facts.pointee.first_event)
    }

    private static func watchCursor(_ connection: OpaquePointer, _ root: UInt32) -> UInt8? {
        guard let facts = xcb_get_extension_data(connection, tandem_xcb_xfixes()), facts.pointee.present != 0 else {
            return nil
        }
        let version = xcb_xfixes_query_version_reply(connection, xcb_xfixes_query_version(connection, 5, 0), nil)
        free(version)
        guard version != nil else { return nil }
        xcb_xfixes_select_cursor_input(connection, root, UInt32(XCB_XFIXES_CURSOR_NOTIFY_MASK_DISPLAY_CURSOR.rawValue))
        // The second of the extension's events.
        return facts.pointee.first_event + 1
    }

    /// Nil where the server takes none: that of another user or of another machine.
    private static func share(_ connection: OpaquePointer, bytes: Int) -> SharedMemory? {
        guard let facts = xcb_get_extension_data(connection, tandem_xcb_shm()), facts.pointee.present != 0 else {
            return nil
        }
        let id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0o600)
        guard id >= 0 else { return nil }
        // It goes with the last program that has it, however that ends.
        defer { shmctl(id, IPC_RMID, nil) }
        guard let address = shmat(id, nil, 0), address != UnsafeMutableRawPointer(bitPattern: -1) else { return nil }
        let segment = xcb_generate_id(connection)
        let refusal = xcb_request_check(connection, xcb_shm_attach_checked(connection, segment, UInt32(id), 0))
        guard refusal == nil else {
            free(refusal)
            shmdt(address)
            return nil
        }
        return SharedMemory(segment: segment, address: UInt(bitPattern: address))
    }

    private static func takeEvents(_ state: inout State, _ connection: OpaquePointer, _ area: ScreenArea) throws {
        while let event = xcb_poll_for_event(connection) {
            defer { free(event) }
            // The highest bit says that another client made the event.
            let type = event.pointee.response_type & 0x7F
            if type == state.damage?.event {
                let box = event.withMemoryRebound(to: xcb_damage_notify_event_t.self, capacity: 1) { $0.pointee.area }
                let place = ScreenArea(x: Int(box.x), y: Int(box.y), width: Int(box.width), height: Int(box.height))
                if let seen = place.common(with: area) { state.changed = state.changed?.around(seen) ?? seen }
            } else if type == state.cursorEvent {
                state.hasNewPointer = true
            } else if type == configureNotify {
                let size = event.withMemoryRebound(to: xcb_configure_notify_event_t.self, capacity: 1) {
                    PictureDimensions(width: Int($0.pointee.width), height: Int($0.pointee.height))
                }
                let isRoot = event.withMemoryRebound(to: xcb_configure_notify_event_t.self, capacity: 1) {
                    $0.pointee.window == state.root
                }
                if isRoot, size != state.rootSize { throw ScreenReaderError.changed }
            }
        }
        if xcb_connection_has_error(connection) != 0 { throw ScreenReaderError.failed }
    }

    /// Hands over the pixels of a rectangle of the root window.
    private static func read(
        _ area: ScreenArea,
        _ state: State,
        _ connection: OpaquePointer,
        _ take: (UnsafeBufferPointer<UInt32>) -> Void
    ) throws(ScreenReaderError) {
        let (x, y) = (Int16(clamping: area.x), Int16(clamping: area.y))
        let (width, height) = (UInt16(clamping: area.width), UInt16(clamping: area.height))
        let format = UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue)
        if let memory = state.memory {
            let asked = xcb_shm_get_image(
                connection,
                state.root,
                x,
                y,
                width,
                height,
                allPlanes,
                format,
                memory.segment,
                0
            )
            let answer = xcb_shm_get_image_reply(connection, asked, nil)
            defer { free(answer) }
            // The only thing that it refuses is a rectangle beside the window.
            guard answer != nil, let start = UnsafePointer<UInt32>(bitPattern: memory.address) else { throw .changed }
            return take(UnsafeBufferPointer(start: start, count: area.pixels))
        }
        let asked = xcb_get_image(connection, format, state.root, x, y, width, height, allPlanes)
        let answer = xcb_get_image_reply(connection, asked, nil)
        defer { free(answer) }
        guard let answer, let data = xcb_get_image_data(answer),
            Int(xcb_get_image_data_length(answer)) >= area.pixels * 4
        else { throw .changed }
        data.withMemoryRebound(to: UInt32.self, capacity: area.pixels) {
            take(UnsafeBufferPointer(start: $0, count: area.pixels))
        }
    }

    // MARK: The pointer

    private static func pointerMoved(_ state: inout State, _ connection: OpaquePointer) -> Bool {
        guard state.cursorEvent != nil else { return false }
        let answer = xcb_query_pointer_reply(connection, xcb_query_pointer(connection, state.root), nil)
        defer { free(answer) }
        guard let place = answer.map({ ($0.pointee.root_x, $0.pointee.root_y) }) else { return false }
        return state.pointerPlace.map { $0 != place } ?? true
    }

    /// The pointer as it is now, where it lies in `area`.
    private static func pointer(_ state: inout State, _ connection: OpaquePointer, _ area: ScreenArea) -> ScreenPointer?
    {
        if !state.hasNewPointer, let pointer = state.pointer, let old = state.pointerPlace {
            let answer = xcb_query_pointer_reply(connection, xcb_query_pointer(connection, state.root), nil)
            defer { free(answer) }
            guard let answer else { return pointer }
            let place = (x: answer.pointee.root_x, y: answer.pointee.root_y)
            var moved = pointer
            moved.area.x += Int(place.x) - Int(old.x)
            moved.area.y += Int(place.y) - Int(old.y)
            state.pointerPlace = place
            return moved
        }
        let answer = xcb_xfixes_get_cursor_image_reply(connection, xcb_xfixes_get_cursor_image(connection), nil)
        defer { free(answer) }
        guard let answer, let pixels = xcb_xfixes_get_cursor_image_cursor_image(answer) else { return nil }
        let image = answer.pointee
        let count = Int(image.width) * Int(image.height)
        state.hasNewPointer = false
        state.pointerPlace = (image.x, image.y)
        guard xcb_xfixes_get_cursor_image_cursor_image_length(answer) >= count else { return nil }
        return ScreenPointer(
            area: ScreenArea(
                x: Int(image.x) - Int(image.xhot) - area.x,
                y: Int(image.y) - Int(image.yhot) - area.y,
                width: Int(image.width),
                height: Int(image.height)
            ),
            pixels: Array(UnsafeBufferPointer(start: pixels, count: count))
        )
    }
}

extension ScreenArea {
    /// Nil where they have nothing in common.
    func common(with other: ScreenArea) -> ScreenArea? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let right = min(x + width, other.x + other.width)
        let bottom = min(y + height, other.y + other.height)
        return left < right && top < bottom
            ? ScreenArea(x: left, y: top, width: right - left, height: bottom - top) : nil
    }

    /// The smallest one around both.
    func around(_ other: ScreenArea) -> ScreenArea {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return ScreenArea(
            x: left,
            y: top,
            width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top
        )
    }
}
