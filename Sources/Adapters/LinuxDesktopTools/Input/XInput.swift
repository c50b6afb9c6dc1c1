import CXCB
import Glibc
import Kernel
import RemoteInput
import RemoteInputHost
import Synchronization

/// The pointer and the keyboard of an X server, by its extension XTEST. Source: "X Test Extension Protocol", version 2.2.
///
/// One thread sends, and another one waits for events: the keys that end it, and presses in the window that says who controls the computer.
/// The library allows that; only the thread that waits closes the connection.
final class XInput: InputDevice {
    /// For programs to read a key's new character before it is another one.
    private static let lookTime: useconds_t = 60_000
    /// Before keys are given back: a slow program may only then look what a key meant that was pressed before.
    private static let farewell: useconds_t = 250_000
    /// The event types of core requests.
    private static let (keyPress, keyRelease, buttonPress, buttonRelease, motion): (UInt8, UInt8, UInt8, UInt8, UInt8) =
        (2, 3, 4, 5, 6)

    /// Used by the lane's one call at a time.
    private struct Hand {
        /// The address of the connection, which is no value that threads may share by itself. 0 once it is closed.
        var connection: UInt
        let root: UInt32
        var keys: XKeys
        var restX = WheelSteps()
        var restY = WheelSteps()
        var wheelX = WheelSteps()
        var wheelY = WheelSteps()
    }

    let facts: InputDeviceFacts
    private let hand: Mutex<Hand>
    private let lane: BlockingLane

    private init(_ hand: consuming sending Hand, stopKey: String?, lane: BlockingLane) {
        facts = InputDeviceFacts(way: "x11", typesText: true, stopKey: stopKey)
        self.hand = Mutex(hand)
        self.lane = lane
    }

    /// Whether there is a server with the extension.
    ///
    /// - Throws: ``InputError/impossible(reason:)``.
    static func check(_ display: XDisplay, authority: String?) throws(InputError) {
        xcb_disconnect(try connect(display, authority: authority))
    }

    /// - Parameters:
    ///   - phone: Shown in a window above all others.
    ///   - ended: Called when the person ends it, and when the server is gone.
    /// - Throws: ``InputError/impossible(reason:)``.
    static func open(
        _ display: XDisplay,
        authority: String?,
        phone: String,
        ended: @escaping @Sendable (InputEnd.Cause) -> Void
    ) throws(InputError) -> XInput {
        let connection = try connect(display, authority: authority)
        guard let screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data?.pointee,
            let keys = XKeys(connection)
        else {
            xcb_disconnect(connection)
            throw silent
        }
        let stop = XStopKey(grabbing: connection, root: screen.root, keys: keys)
        let sign = XSign(connection, screen: screen, phone: phone, stopKey: stop?.words)
        let address = UInt(bitPattern: connection)
        let hand = Hand(connection: address, root: screen.root, keys: keys)
        let work = BlockingWork("tandem.input", width: 2)
        let input = XInput(hand, stopKey: stop?.words, lane: BlockingLane(on: work))
        work.perform {
            Self.follow(OpaquePointer(bitPattern: address), stop, sign, ended)
            // Nobody may use a connection, nor end a socket whose number another one has by then.
            input.hand.withLock { hand in
                hand.connection = 0
                xcb_disconnect(OpaquePointer(bitPattern: address))
            }
            // After an end that was wanted nobody listens.
            ended(.failed)
        }
        return input
    }

    func begin(_ actions: [InputAction], done: @escaping @Sendable (InputError?) -> Void) {
        lane.perform { [self] in
            let failure = hand.withLock { hand -> InputError? in
                guard let connection = OpaquePointer(bitPattern: hand.connection) else { return Self.gone }
                for action in actions { Self.perform(action, &hand, connection) }
                xcb_flush(connection)
                return xcb_connection_has_error(connection) == 0 ? nil : Self.gone
            }
            done(failure)
        }
    }

    func close() async {
        // The lane goes on by itself: whoever ended the control does not wait for keys to be given back.
        lane.perform { [self] in
            if hand.withLock({ $0.connection != 0 && !$0.keys.borrowed.isEmpty }) { usleep(Self.farewell) }
            hand.withLock { hand in
                guard let connection = OpaquePointer(bitPattern: hand.connection) else { return }
                hand.keys.giveBack(connection)
                // Answered only after the requests before.
                free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
                // The thread that waits for events is woken by it, and closes the connection.
                shutdown(xcb_get_file_descriptor(connection), Int32(SHUT_RDWR))
            }
        }
    }

    /// Lets go of every key and button that XTEST holds down. Keys that a hand holds are those of another device and stay.
    static func releaseAll(_ display: XDisplay, authority: String?) throws(InputError) {
        let connection = try connect(display, authority: authority)
        defer { xcb_disconnect(connection) }
        if let reply = xcb_query_keymap_reply(connection, xcb_query_keymap(connection), nil) {
            let down = withUnsafeBytes(of: reply.pointee.keys) { Array($0) }
            free(reply)
            for code in 8...255 where down[code / 8] & (1 << (code % 8)) != 0 {
                xcb_test_fake_input(connection, keyRelease, UInt8(code), 0, 0, 0, 0, 0)
            }
        }
        for button in UInt8(1)...9 { xcb_test_fake_input(connection, buttonRelease, button, 0, 0, 0, 0, 0) }
        free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
    }

    // MARK: Steps

    private static func perform(_ action: InputAction, _ hand: inout Hand, _ connection: OpaquePointer) {
        func fake(_ type: UInt8, _ detail: UInt8, _ x: Int = 0, _ y: Int = 0, root: UInt32 = 0) {
            let (x, y) = (Int16(clamping: x), Int16(clamping: y))
            xcb_test_fake_input(connection, type, detail, 0, root, x, y, 0)
        }
        func press(_ code: UInt8) {
            fake(keyPress, code)
            fake(keyRelease, code)
        }
        func turn(_ steps: Int, _ back: UInt8, _ forth: UInt8) {
            for _ in 0..<abs(steps) {
                fake(buttonPress, steps < 0 ? back : forth)
                fake(buttonRelease, steps < 0 ? back : forth)
            }
        }
        switch action {
        case .move(let dx, let dy):
            let (x, y) = (hand.restX.take(dx), hand.restY.take(dy))
            // 1: by so many pixels.
            if x != 0 || y != 0 { fake(motion, 1, x, y) }
        case .place(let x, let y, _): fake(motion, 0, Int(x), Int(y), root: hand.root)
        case .button(let button, let isDown): fake(isDown ? buttonPress : buttonRelease, number(of: button))
        case .wheel(let dx, let dy):
            turn(hand.wheelY.take(dy), 4, 5)
            turn(hand.wheelX.take(dx), 6, 7)
        case .key(let key, let isDown):
            guard let code = code(of: KeySymbol(key), &hand, connection) else { return }
            fake(isDown ? keyPress : keyRelease, code)
        case .text(let text):
            type(text, &hand, connection, fake: { fake($0, $1) }, press: press)
        }
    }

    /// Types a text: keys of the layout where it has the character and is in its first group, keys that are given the character elsewhere.
    private static func type(
        _ text: String,
        _ hand: inout Hand,
        _ connection: OpaquePointer,
        fake: (UInt8, UInt8) -> Void,
        press: (UInt8) -> Void
    ) {
        let asked = xcb_query_pointer_reply(connection, xcb_query_pointer(connection, hand.root), nil)
        let mask = asked?.pointee.mask ?? 0
        free(asked)
        // Bits 13 and 14 are the layout's group, bit 1 is Caps Lock, bit 0 is Shift.
        let (group, isLocked, isShifted) = (mask >> 13 & 3, mask & 2 != 0, mask & 1 != 0)
        let shift = hand.keys.place(of: .shift)?.code
        for scalar in text.unicodeScalars {
            let symbol = KeySymbol(scalar)
            let known = group == 0 || scalar.value < 0x20 ? hand.keys.place(of: symbol) : nil
            if let place = known, shift != nil || !place.isShifted {
                let turns = isLocked && hand.keys.isLetter(symbol)
                // A Shift that a person holds is there already.
                let wantsShift = place.isShifted != turns && !isShifted
                if wantsShift, let shift { fake(keyPress, shift) }
                press(place.code)
                if wantsShift, let shift { fake(keyRelease, shift) }
            } else if let code = borrowed(symbol, &hand, connection) {
                press(code)
            }
        }
    }

    private static func code(of symbol: KeySymbol, _ hand: inout Hand, _ connection: OpaquePointer) -> UInt8? {
        guard symbol.value != 0 else { return nil }
        return hand.keys.place(of: symbol)?.code ?? borrowed(symbol, &hand, connection)
    }

    private static func borrowed(_ symbol: KeySymbol, _ hand: inout Hand, _ connection: OpaquePointer) -> UInt8? {
        // Before the only key left becomes another one, what it was pressed for has to be read.
        if hand.keys.isFull(for: symbol) {
            xcb_flush(connection)
            usleep(lookTime)
        }
        return hand.keys.borrow(symbol, connection)
    }

    private static func number(of button: InputEvent.Button) -> UInt8 {
        switch button {
        case .left: 1
        case .middle: 2
        case .right: 3
        case .back: 8
        case .forward: 9
        }
    }

    // MARK: The connection

    /// Tells when the person ends it. Returns when the connection has ended.
    private static func follow(
        _ connection: OpaquePointer?,
        _ stop: XStopKey?,
        _ sign: XSign,
        _ ended: (InputEnd.Cause) -> Void
    ) {
        while let event = xcb_wait_for_event(connection) {
            // The highest bit says that another client made the event.
            let type = event.pointee.response_type & 0x7F
            let detail = event.withMemoryRebound(to: xcb_key_press_event_t.self, capacity: 1) { $0.pointee.detail }
            free(event)
            switch type {
            case keyPress where detail == stop?.code: ended(.key)
            case buttonPress: ended(.owner)
            default: sign.take(type, connection)
            }
        }
    }

    private static func connect(_ display: XDisplay, authority: String?) throws(InputError) -> OpaquePointer {
        guard let connection = display.connect(authority: authority) else { throw silent }
        guard xcb_connection_has_error(connection) == 0 else {
            xcb_disconnect(connection)
            throw silent
        }
        guard let facts = xcb_get_extension_data(connection, tandem_xcb_xtest()), facts.pointee.present != 0 else {
            xcb_disconnect(connection)
            throw .impossible(
                reason: "The computer's X server has no extension XTEST, so no program can move its pointer."
            )
        }
        return connection
    }

    private static let silent = InputError.impossible(
        reason: "The computer's X server does not answer. Start Tandem from inside the session there."
    )
    private static let gone = InputError.failed(reason: "the X server is gone.")
}
