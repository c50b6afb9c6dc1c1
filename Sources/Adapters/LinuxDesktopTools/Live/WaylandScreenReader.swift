import Foundation
import Glibc
import Pictures
import Screen
import ScreenHost
import Synchronization

/// Reads an output of a compositor that lets programs copy it, as those of wlroots do: what changed, once something did. Sources:
/// `wlr-screencopy-unstable-v1.xml`; "The Wayland Protocol", `wl_shm` and `wl_output`.
final class WaylandScreenReader: JPEGScreenReader {
    private enum Interface {
        static let memory = "wl_shm"
        static let output = "wl_output"
        static let copies = "zwlr_screencopy_manager_v1"
    }

    /// How pixels lie in memory, by the numbers of `wl_shm`.
    private struct Layout: Hashable {
        /// Whether red comes first instead of blue.
        let isSwapped: Bool

        init?(_ format: UInt32) {
            switch format {
            case 0, 1: isSwapped = false
            case 0x3432_4258, 0x3432_4241: isSwapped = true
            default: return nil
            }
        }
    }

    /// What the compositor says of a copy before it is made.
    private struct Plan: Hashable {
        var format: UInt32 = 0
        var width = 0
        var height = 0
        /// Bytes from one row to the next.
        var stride = 0

        var bytes: Int { stride * height }

        init(_ body: [UInt8]) {
            format = number(body, 0)
            width = Int(number(body, 4))
            height = Int(number(body, 8))
            stride = Int(number(body, 12))
        }
    }

    private struct State: ~Copyable {
        var connection: WaylandConnection
        let manager: UInt32
        let output: UInt32
        let buffer: UInt32
        let plan: Plan
        let layout: Layout
        /// Whether it tells what changed, and waits until something did.
        let tellsChanges: Bool
        /// The address of the memory that the compositor copies into. 0 once it is closed.
        var memory: UInt
        /// The copy that is asked for.
        var copy: UInt32
        var isReady = false
        var isUpsideDown = false
        /// What changed; nil for everything.
        var changed: ScreenArea?
        var isFirst = true
    }

    /// The longest row of memory, and the most rows: no display is larger.
    private static let edge = 16_384
    /// Between two looks at a compositor that tells of no changes, in microseconds.
    private static let turn: useconds_t = 40_000
    private static let pollTime: Int32 = 50

    let size: PictureDimensions
    private let state: Mutex<State>

    private init(_ state: consuming sending State) {
        size = PictureDimensions(width: state.plan.width, height: state.plan.height)
        self.state = Mutex(state)
    }

    /// - Parameters:
    ///   - display: As WAYLAND_DISPLAY says it.
    ///   - folder: As XDG_RUNTIME_DIR says it.
    ///   - name: The output's; nil, or one that is not there: the first one.
    /// - Throws: ``ScreenError/notLive(reason:)``.
    static func open(_ display: String, folder: String, output name: String?) throws(ScreenError) -> WaylandScreenReader
    {
        do {
            return WaylandScreenReader(try connect(display, folder: folder, output: name))
        } catch let error as ScreenError {
            throw error
        } catch {
            throw .notLive(
                reason: "The computer's Wayland compositor does not answer. Start Tandem from inside the session there."
            )
        }
    }

    private static func connect(_ display: String, folder: String, output name: String?) throws -> sending State {
        var connection = try WaylandConnection(display, folder: folder)
        let registry = connection.newID()
        var offers: [Offer] = []
        // The display's request for its registry.
        try connection.send(1, 1, [.number(registry)])
        try connection.settle { object, code, body in
            guard object == registry, code == 0, let offer = offer(body), offers.count < 1024 else { return }
            offers.append(offer)
        }
        guard let memoryOffer = offers.first(where: { $0.interface == Interface.memory }),
            let copies = offers.first(where: { $0.interface == Interface.copies })
        else {
            throw ScreenError.notLive(
                reason:
                    "The computer's Wayland compositor lets no program look at its screen live. Take pictures instead."
            )
        }
        let memory = try bind(&connection, registry, memoryOffer, upTo: 1)
        let manager = try bind(&connection, registry, copies, upTo: 2)
        var names: [UInt32: String] = [:]
        var outputs: [UInt32] = []
        for offer in offers.filter({ $0.interface == Interface.output }).prefix(64) {
            outputs.append(try bind(&connection, registry, offer, upTo: 4))
        }
        let known = outputs
        try connection.settle { object, code, body in
            // 4: the output's name.
            if code == 4, known.contains(object) { names[object] = text(body, 0) }
        }
        guard let output = outputs.first(where: { names[$0] == name }) ?? outputs.first else {
            throw ScreenError.notLive(reason: "The computer's Wayland compositor shows no display.")
        }
        let (copy, plan) = try ask(&connection, manager, output)
        guard let plan, let layout = Layout(plan.format), (1...edge).contains(plan.width),
            (1...edge).contains(plan.height), (plan.width * 4...edge * 4).contains(plan.stride), plan.stride % 4 == 0
        else {
            throw ScreenError.notLive(
                reason:
                    "The computer's Wayland compositor keeps its pixels in a way that Tandem does not read live. Take pictures instead."
            )
        }
        let (file, address) = try map(plan.bytes)
        defer { Glibc.close(file) }
        let (pool, buffer) = (connection.newID(), connection.newID())
        try connection.send(memory, 0, [.number(pool), .signed(Int32(plan.bytes))], file: file)
        let shape = [0, plan.width, plan.height, plan.stride].map { WaylandConnection.Argument.signed(Int32($0)) }
        try connection.send(pool, 0, [.number(buffer)] + shape + [.number(plan.format)])
        // The first copy is made at once, whatever changed.
        try connection.send(copy, 0, [.number(buffer)])
        return State(
            connection: connection,
            manager: manager,
            output: output,
            buffer: buffer,
            plan: plan,
            layout: layout,
            tellsChanges: copies.version >= 2,
            memory: address,
            copy: copy
        )
    }

    /// Makes an object of one that is offered.
    private static func bind(
        _ connection: inout WaylandConnection,
        _ registry: UInt32,
        _ offer: Offer,
        upTo version: UInt32
    ) throws(WaylandConnection.Failure) -> UInt32 {
        let made = connection.newID()
        let words: [WaylandConnection.Argument] = [
            .number(offer.name), .text(offer.interface), .number(min(version, offer.version)), .number(made),
        ]
        try connection.send(registry, 0, words)
        return made
    }

    func wait(atMost milliseconds: Int32) throws -> Bool {
        try state.withLock { state in
            guard state.memory != 0 else { throw ScreenReaderError.failed }
            if !state.tellsChanges, !state.isFirst { usleep(Self.turn) }
            var rest = milliseconds
            while true {
                try Self.take(&state)
                if state.isReady { return true }
                guard rest > 0 else { return false }
                let turn = min(rest, Self.pollTime)
                rest -= turn
                var polled = pollfd(fd: state.connection.socket, events: Int16(POLLIN), revents: 0)
                _ = poll(&polled, 1, turn)
            }
        }
    }

    func look(_ take: (ScreenPiece) -> Void) throws -> ScreenPointer? {
        try state.withLock { state in
            guard let memory = UnsafePointer<UInt32>(bitPattern: state.memory) else { throw ScreenReaderError.failed }
            // The first look does not wait for a change before.
            var patience = 40
            while !state.isReady, state.isFirst, patience > 0 {
                try Self.take(&state)
                if !state.isReady { usleep(Self.turn) }
                patience -= 1
            }
            guard state.isReady else {
                if state.isFirst { throw ScreenReaderError.failed }
                return nil
            }
            Self.hand(memory, state, take)
            do {
                try state.connection.send(state.copy, 1)
                let (copy, plan) = try Self.ask(&state.connection, state.manager, state.output)
                guard plan == state.plan else { throw ScreenReaderError.changed }
                try state.connection.send(copy, state.tellsChanges ? 2 : 0, [.number(state.buffer)])
                state.copy = copy
            } catch is WaylandConnection.Failure {
                throw ScreenReaderError.failed
            }
            (state.isReady, state.isFirst, state.changed) = (false, false, nil)
            // The compositor draws the pointer.
            return nil
        }
    }

    func close() {
        state.withLock { state in
            guard let memory = UnsafeMutableRawPointer(bitPattern: state.memory) else { return }
            state.memory = 0
            munmap(memory, state.plan.bytes)
            // The compositor lets go of what was asked for; the connection itself goes with this object.
            shutdown(state.connection.socket, Int32(SHUT_RDWR))
        }
    }

    deinit { close() }

    // MARK: Copies

    /// Asks for a copy.
    ///
    /// - Returns: Its number, and what the compositor says of it.
    private static func ask(
        _ connection: inout WaylandConnection,
        _ manager: UInt32,
        _ output: UInt32
    ) throws(WaylandConnection.Failure) -> (copy: UInt32, plan: Plan?) {
        let copy = connection.newID()
        // 1: with the pointer.
        try connection.send(manager, 0, [.number(copy), .signed(1), .number(output)])
        var plan: Plan?
        try connection.settle { object, code, body in
            if object == copy, code == 0, body.count >= 16 { plan = Plan(body) }
        }
        return (copy, plan)
    }

    /// Takes what the compositor says of the copy that is asked for.
    private static func take(_ state: inout State) throws(ScreenReaderError) {
        let (copy, whole) = (
            state.copy, ScreenArea(x: 0, y: 0, width: state.plan.width, height: state.plan.height)
        )
        var (isReady, isUpsideDown, hasFailed) = (state.isReady, state.isUpsideDown, false)
        var changed = state.changed
        do {
            try state.connection.settle { object, code, body in
                guard object == copy else { return }
                switch code {
                case 1 where body.count >= 4: isUpsideDown = number(body, 0) & 1 == 1
                case 2: isReady = true
                case 3: hasFailed = true
                case 4 where body.count >= 16:
                    let place = ScreenArea(
                        x: Int(number(body, 0)),
                        y: Int(number(body, 4)),
                        width: Int(number(body, 8)),
                        height: Int(number(body, 12))
                    )
                    if let seen = place.common(with: whole) { changed = changed?.around(seen) ?? seen }
                default: break
                }
            }
        } catch {
            throw .failed
        }
        guard !hasFailed else { throw .changed }
        (state.isReady, state.isUpsideDown, state.changed) = (isReady, isUpsideDown, changed)
    }

    /// Hands over what changed, upright and with blue first.
    private static func hand(_ memory: UnsafePointer<UInt32>, _ state: borrowing State, _ take: (ScreenPiece) -> Void) {
        let plan = state.plan
        let whole = ScreenArea(x: 0, y: 0, width: plan.width, height: plan.height)
        let stride = plan.stride / 4
        let all = UnsafeBufferPointer(start: memory, count: stride * (plan.height - 1) + plan.width)
        guard state.isUpsideDown || state.layout.isSwapped else {
            let area = state.isFirst ? whole : state.changed ?? whole
            let from = area.y * stride + area.x
            let pixels = UnsafeBufferPointer(rebasing: all[from...])
            return take(ScreenPiece(area: area, pixels: pixels, stride: stride))
        }
        let isSwapped = state.layout.isSwapped
        for y in 0..<plan.height {
            let from = (state.isUpsideDown ? plan.height - 1 - y : y) * stride
            let row = all[from..<from + plan.width].map { pixel in
                isSwapped ? pixel & 0xFF00_FF00 | (pixel & 0xFF) << 16 | pixel >> 16 & 0xFF : pixel
            }
            row.withUnsafeBufferPointer {
                take(
                    ScreenPiece(
                        area: ScreenArea(x: 0, y: y, width: plan.width, height: 1),
                        pixels: $0,
                        stride: plan.width
                    )
                )
            }
        }
    }

    /// Memory that the compositor can be handed, as a file whose name is gone at once.
    private static func map(_ bytes: Int) throws(WaylandConnection.Failure) -> (file: Int32, address: UInt) {
        let name = "/tandem-screen-\(UUID().uuidString)"
        let file = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .unreachable }
        shm_unlink(name)
        guard ftruncate(file, bytes) == 0, let address = mmap(nil, bytes, PROT_READ, MAP_SHARED, file, 0),
            address != MAP_FAILED
        else {
            Glibc.close(file)
            throw .unreachable
        }
        return (file, UInt(bitPattern: address))
    }
}

/// An object that a compositor offers.
private struct Offer {
    let name: UInt32
    let interface: String
    let version: UInt32
}

/// A number, an interface and a version.
private func offer(_ body: [UInt8]) -> Offer? {
    guard body.count >= 12, let interface = text(body, 4) else { return nil }
    let end = 8 + (Int(number(body, 4)) + 3) & ~3
    guard end + 4 <= body.count else { return nil }
    return Offer(name: number(body, 0), interface: interface, version: number(body, end))
}

/// A text with its length before it and a zero behind it.
private func text(_ body: [UInt8], _ at: Int) -> String? {
    guard at + 4 <= body.count else { return nil }
    let length = Int(number(body, at))
    guard length >= 1, at + 4 + length <= body.count else { return nil }
    return String(decoding: body[(at + 4)..<(at + 4 + length - 1)], as: UTF8.self)
}

private func number(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: UInt32.self) }
}
