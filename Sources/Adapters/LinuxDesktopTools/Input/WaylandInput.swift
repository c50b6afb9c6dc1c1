import Foundation
import Glibc
import Kernel
import RemoteInput
import RemoteInputHost
import Synchronization

/// The pointer and the keyboard of a compositor that takes virtual ones, as those of wlroots do. Source: `wlr-virtual-pointer-unstable-v1.xml` and
/// `virtual-keyboard-unstable-v1.xml`.
///
/// The compositor lets go of what is held when the connection ends, also that of a program that was killed.
final class WaylandInput: InputDevice {
    private enum Interface {
        static let seat = "wl_seat"
        static let pointers = "zwlr_virtual_pointer_manager_v1"
        static let keyboards = "zwp_virtual_keyboard_manager_v1"
    }

    private struct Hand: ~Copyable {
        var connection: WaylandConnection
        let pointer: UInt32
        let keyboard: UInt32
        var keys = WaylandKeys()
        var modifiers: UInt32 = 0

        init(connection: consuming WaylandConnection, pointer: UInt32, keyboard: UInt32) {
            self.connection = connection
            self.pointer = pointer
            self.keyboard = keyboard
        }
    }

    /// A wheel's notch, in the length that compositors give it.
    private static let notch = 15.0

    let facts = InputDeviceFacts(way: "wlroots", typesText: true, stopKey: nil)
    private let hand: Mutex<Hand>
    private let socket: Int32
    private let lane: BlockingLane
    private let isOver = Mutex(false)

    private init(_ hand: consuming sending Hand, socket: Int32, lane: BlockingLane) {
        self.hand = Mutex(hand)
        self.socket = socket
        self.lane = lane
    }

    /// Whether the compositor takes virtual pointers and keyboards.
    ///
    /// - Throws: ``InputError/impossible(reason:)``.
    static func check(_ display: String, folder: String) throws(InputError) { _ = try connect(display, folder: folder) }

    /// - Parameter ended: Called when the compositor is gone.
    /// - Throws: ``InputError/impossible(reason:)``.
    static func open(
        _ display: String,
        folder: String,
        ended: @escaping @Sendable (InputEnd.Cause) -> Void
    ) throws(InputError) -> WaylandInput {
        let hand = try connect(display, folder: folder)
        let socket = hand.connection.socket
        let work = BlockingWork("tandem.input", width: 2)
        let input = WaylandInput(hand, socket: socket, lane: BlockingLane(on: work))
        work.perform {
            WaylandConnection.drain(socket)
            // After an end that was wanted nobody listens. The connection is closed once nothing holds this object any more.
            input.isOver.withLock { $0 = true }
            ended(.failed)
        }
        return input
    }

    func begin(_ actions: [InputAction], done: @escaping @Sendable (InputError?) -> Void) {
        lane.perform { [self] in
            done(
                hand.withLock { hand -> InputError? in
                    do {
                        for action in actions { try Self.perform(action, &hand) }
                        return nil
                    } catch {
                        return .failed(reason: "the compositor is gone.")
                    }
                }
            )
        }
    }

    func close() async {
        // Behind what was begun before; the thread that waits for the compositor is woken by it.
        lane.perform { [self] in
            isOver.withLock { if !$0 { shutdown(socket, Int32(SHUT_RDWR)) } }
        }
    }

    // MARK: Steps

    private static func perform(_ action: InputAction, _ hand: inout Hand) throws {
        switch action {
        case .move(let dx, let dy):
            try hand.connection.send(hand.pointer, 0, [.number(now), .fixed(dx), .fixed(dy)])
            try frame(hand)
        case .place(let x, let y, let whole):
            let numbers = [x - Double(whole.x), y - Double(whole.y), Double(whole.width), Double(whole.height)]
            let spot = numbers.map { WaylandConnection.Argument.number(UInt32(max(0, $0))) }
            try hand.connection.send(hand.pointer, 1, [.number(now)] + spot)
            try frame(hand)
        case .button(let button, let isDown):
            let press: [WaylandConnection.Argument] = [
                .number(now), .number(LinuxKeyCode.of(button)), .number(isDown ? 1 : 0),
            ]
            try hand.connection.send(hand.pointer, 2, press)
            try frame(hand)
        case .wheel(let dx, let dy):
            for (axis, amount) in [(UInt32(0), dy), (1, dx)] where amount != 0 {
                try roll(axis, by: amount, hand)
            }
            try frame(hand)
        case .key(let key, let isDown): try press(key, isDown, &hand)
        case .text(let text): try type(text, &hand)
        }
    }

    /// Rolls by whole notches as a mouse's wheel, which some programs only know, and by parts of one as fingers on a touchpad.
    private static func roll(_ axis: UInt32, by notches: Double, _ hand: borrowing Hand) throws {
        let length = WaylandConnection.Argument.fixed(notches * notch)
        guard notches == notches.rounded() else {
            // 1: fingers.
            try hand.connection.send(hand.pointer, 5, [.number(1)])
            return try hand.connection.send(hand.pointer, 3, [.number(now), .number(axis), length])
        }
        // 0: a wheel.
        try hand.connection.send(hand.pointer, 5, [.number(0)])
        let count = WaylandConnection.Argument.number(UInt32(bitPattern: Int32(notches)))
        try hand.connection.send(hand.pointer, 7, [.number(now), .number(axis), length, count])
    }

    private static func frame(_ hand: borrowing Hand) throws { try hand.connection.send(hand.pointer, 4) }

    private static func press(_ key: InputKey, _ isDown: Bool, _ hand: inout Hand) throws {
        let symbol = KeySymbol(key)
        if hand.keys.learn([symbol]) { try sendMap(hand) }
        guard let code = hand.keys.code(of: symbol) else { return }
        try hand.connection.send(hand.keyboard, 1, [.number(now), .number(code), .number(isDown ? 1 : 0)])
        let bits = WaylandKeys.modifier(key)
        guard bits != 0 else { return }
        hand.modifiers = isDown ? hand.modifiers | bits : hand.modifiers & ~bits
        try hand.connection.send(hand.keyboard, 2, [.number(hand.modifiers), .number(0), .number(0), .number(0)])
    }

    private static func type(_ text: String, _ hand: inout Hand) throws {
        var rest = Array(text.unicodeScalars)[...]
        while !rest.isEmpty {
            // As much as one map of keys has room for, however many letters are the same.
            let part = rest.prefix(hand.keys.room)
            if hand.keys.learn(part.map { KeySymbol($0) }) { try sendMap(hand) }
            for scalar in part {
                guard let code = hand.keys.code(of: KeySymbol(scalar)) else { continue }
                for state: UInt32 in [1, 0] {
                    try hand.connection.send(hand.keyboard, 1, [.number(now), .number(code), .number(state)])
                }
            }
            rest = rest.dropFirst(part.count)
        }
    }

    private static func sendMap(_ hand: borrowing Hand) throws {
        let bytes = Array(hand.keys.map.utf8) + [0]
        // A file in memory, whose name is gone at once.
        let name = "/tandem-keys-\(UUID().uuidString)"
        let file = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        shm_unlink(name)
        guard file >= 0 else { throw WaylandConnection.Failure.unreachable }
        defer { Glibc.close(file) }
        guard write(file, bytes, bytes.count) == bytes.count else { throw WaylandConnection.Failure.unreachable }
        // 1: a map of XKB.
        try hand.connection.send(
            hand.keyboard,
            0,
            [.number(1), .number(UInt32(bytes.count))],
            file: file
        )
    }

    /// A time in milliseconds, of which only differences mean something.
    private static var now: UInt32 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt32(truncatingIfNeeded: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    // MARK: The connection

    private static func connect(_ display: String, folder: String) throws(InputError) -> sending Hand {
        do {
            var connection = try WaylandConnection(display, folder: folder)
            let (registry, globals) = try connection.globals()
            guard let seat = globals[Interface.seat], let pointers = globals[Interface.pointers],
                let keyboards = globals[Interface.keyboards]
            else { throw InputError.impossible(reason: missing) }
            let seatID = try connection.bind(registry, seat, Interface.seat)
            let pointerMaker = try connection.bind(registry, pointers, Interface.pointers)
            let keyboardMaker = try connection.bind(registry, keyboards, Interface.keyboards)
            let (pointer, keyboard) = (connection.newID(), connection.newID())
            try connection.send(pointerMaker, 0, [.number(seatID), .number(pointer)])
            try connection.send(keyboardMaker, 0, [.number(seatID), .number(keyboard)])
            var hand = Hand(connection: connection, pointer: pointer, keyboard: keyboard)
            try sendMap(hand)
            // The compositor may refuse, for example where a program is confined.
            try hand.connection.settle()
            return hand
        } catch let error as InputError {
            throw error
        } catch WaylandConnection.Failure.refused(let words) {
            throw .impossible(reason: "The computer's Wayland compositor refused: \(TerminalText.line(words)).")
        } catch {
            throw .impossible(
                reason: "The computer's Wayland compositor does not answer. Start Tandem from inside the session there."
            )
        }
    }

    private static let missing = "The computer's Wayland compositor takes no pointer and keyboard of programs."
}
