import Foundation
import Glibc
import Kernel
import RemoteInput
import RemoteInputHost
import Synchronization

/// One event of the kernel's input layer. Source: `linux/input.h`.
struct KernelEvent: Hashable, Sendable {
    /// The kinds of events.
    static let (synchronize, key, relative, absolute): (UInt16, UInt16, UInt16, UInt16) = (0, 1, 2, 3)
    /// The end of what belongs together.
    static let report = KernelEvent(synchronize, 0, 0)

    let type: UInt16
    let code: UInt16
    let value: Int32

    init(_ type: UInt16, _ code: UInt16, _ value: Int32) {
        self.type = type
        self.code = code
        self.value = value
    }

    /// As the kernel reads it: a time, which it sets itself, then the members.
    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: MemoryLayout<timeval>.size)
        for number in [type, code] { withUnsafeBytes(of: number) { bytes += $0 } }
        withUnsafeBytes(of: value) { bytes += $0 }
        return bytes
    }
}

/// The events of a mouse, a keyboard and a tablet, for what is done from afar.
struct KernelEvents {
    /// The device that an event belongs to: a tablet that moved by parts would be no tablet.
    enum Device: Hashable, Sendable {
        case mouse, tablet
    }

    /// The range of a tablet's places, in both directions.
    static let tabletRange = 65_535
    /// The wheel's parts of a notch, in events that say them.
    private static let parts = 120.0

    private var restX = WheelSteps()
    private var restY = WheelSteps()
    private var wheelX = WheelSteps()
    private var wheelY = WheelSteps()
    private var partX = WheelSteps()
    private var partY = WheelSteps()

    mutating func events(of action: InputAction) -> [(Device, [KernelEvent])] {
        switch action {
        case .move(let dx, let dy):
            return mouse([(0, restX.take(dx)), (1, restY.take(dy))])
        case .wheel(let dx, let dy):
            // The kernel's wheel is above 0 for up; codes 11 and 12 say parts of a notch, 8 and 6 whole ones.
            return mouse([
                (11, partY.take(-dy * Self.parts)), (8, wheelY.take(-dy)), (12, partX.take(dx * Self.parts)),
                (6, wheelX.take(dx)),
            ])
        case .place(let x, let y, let whole):
            func part(_ at: Double, _ start: Int, _ size: Int) -> Int32 {
                let most = Double(Self.tabletRange)
                return Int32(min(most, max(0, (at - Double(start)) / Double(max(1, size - 1)) * most)).rounded())
            }
            return [
                (
                    .tablet,
                    [
                        KernelEvent(KernelEvent.absolute, 0, part(x, whole.x, whole.width)),
                        KernelEvent(KernelEvent.absolute, 1, part(y, whole.y, whole.height)), .report,
                    ]
                )
            ]
        case .button(let button, let isDown): return press(UInt16(LinuxKeyCode.of(button)), isDown)
        case .key(let key, let isDown): return LinuxKeyCode.of(key).map { press($0, isDown) } ?? []
        case .text(let text):
            // What the American layout does not have is left out, which the phone was told.
            return text.unicodeScalars.compactMap { LinuxKeyCode.place(of: $0) }.flatMap { place in
                let tap = press(place.code, true) + press(place.code, false)
                return place.isShifted ? press(LinuxKeyCode.shift, true) + tap + press(LinuxKeyCode.shift, false) : tap
            }
        }
    }

    private func mouse(_ moves: [(code: UInt16, steps: Int)]) -> [(Device, [KernelEvent])] {
        let moved = moves.filter { $0.steps != 0 }
        guard !moved.isEmpty else { return [] }
        let events = moved.map { KernelEvent(KernelEvent.relative, $0.code, Int32(clamping: $0.steps)) }
        return [(.mouse, events + [.report])]
    }

    private func press(_ code: UInt16, _ isDown: Bool) -> [(Device, [KernelEvent])] {
        [(.mouse, [KernelEvent(KernelEvent.key, code, isDown ? 1 : 0), .report])]
    }
}

/// A pointer and a keyboard that the kernel makes, where this user may write to `/dev/uinput`. The kernel takes them away, and lets go of what they hold, when
/// this program closes them or is killed. Source: `linux/uinput.h`.
final class KernelInput: InputDevice {
    private static let path = "/dev/uinput"
    /// For the session to notice new devices, before the first event.
    private static let settling: useconds_t = 400_000

    /// Requests to the kernel.
    private enum Request {
        static let setEvent: UInt = 0x4004_5564
        static let setKey: UInt = 0x4004_5565
        static let setRelative: UInt = 0x4004_5566
        static let setAbsolute: UInt = 0x4004_5567
        static let create: UInt = 0x5501
        static let setUp: UInt = 0x405C_5503
        static let setUpAbsolute: UInt = 0x401C_5504
    }

    private struct Hand {
        var files: [KernelEvents.Device: Int32]
        var events = KernelEvents()
    }

    let facts = InputDeviceFacts(way: "uinput", typesText: false, stopKey: nil)
    private let hand: Mutex<Hand>
    private let lane = BlockingLane(on: BlockingWork("tandem.input", width: 1))

    private init(_ files: [KernelEvents.Device: Int32]) { hand = Mutex(Hand(files: files)) }

    /// The reason why a user may not, and what would bring any way.
    static let closed = """
        Tandem's user may not write to /dev/uinput there. Use an X11 session, a desktop such as GNOME, KDE or sway, or \
        open that device to the user.
        """

    /// Whether this user may make devices.
    static var isAllowed: Bool { access(path, W_OK) == 0 }

    /// - Throws: ``InputError/impossible(reason:)``.
    static func open() throws(InputError) -> KernelInput {
        guard let mouse = device("Tandem pointer and keyboard", setUpMouse) else { throw refused }
        guard let tablet = device("Tandem tablet", setUpTablet) else {
            Glibc.close(mouse)
            throw refused
        }
        usleep(settling)
        return KernelInput([.mouse: mouse, .tablet: tablet])
    }

    func begin(_ actions: [InputAction], done: @escaping @Sendable (InputError?) -> Void) {
        lane.perform { [self] in
            done(
                hand.withLock { hand -> InputError? in
                    for action in actions {
                        for (device, events) in hand.events.events(of: action) {
                            let bytes = events.flatMap(\.bytes)
                            guard let file = hand.files[device], write(file, bytes, bytes.count) == bytes.count else {
                                return .failed(reason: "the kernel took no event.")
                            }
                        }
                    }
                    return nil
                }
            )
        }
    }

    func close() async {
        lane.perform { [self] in
            hand.withLock { hand in
                for file in hand.files.values { Glibc.close(file) }
                hand.files = [:]
            }
        }
    }

    private static func device(_ name: String, _ setUp: (Int32) -> Bool) -> Int32? {
        let file = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        // The bus (virtual), a maker, a product and a version; 80 bytes of a name; no effects.
        var facts = [UInt8](repeating: 0, count: 92)
        facts[0] = 6
        facts.replaceSubrange(8..<(8 + name.utf8.count), with: Array(name.utf8))
        let isMade =
            setUp(file) && ioctl(file, Request.setUp, &facts) == 0 && ioctl(file, Request.create, Int32(0)) == 0
        if isMade { return file }
        Glibc.close(file)
        return nil
    }

    private static func setUpMouse(_ file: Int32) -> Bool {
        let buttons = InputEvent.Button.allCases.map { Int32(LinuxKeyCode.of($0)) }
        return ioctl(file, Request.setEvent, Int32(KernelEvent.key)) == 0
            && ioctl(file, Request.setEvent, Int32(KernelEvent.relative)) == 0
            && (LinuxKeyCode.all.map { Int32($0) } + buttons).allSatisfy { ioctl(file, Request.setKey, $0) == 0 }
            && [Int32(0), 1, 6, 8, 11, 12].allSatisfy { ioctl(file, Request.setRelative, $0) == 0 }
    }

    /// A tablet without a button would be taken for something else.
    private static func setUpTablet(_ file: Int32) -> Bool {
        let left = Int32(LinuxKeyCode.of(.left))
        return ioctl(file, Request.setEvent, Int32(KernelEvent.key)) == 0
            && ioctl(file, Request.setKey, left) == 0
            && ioctl(file, Request.setEvent, Int32(KernelEvent.absolute)) == 0
            && [Int32(0), 1].allSatisfy { axis in
                // The axis, then its value, least, most, fuzz, flat and resolution.
                var facts = [UInt8](repeating: 0, count: 28)
                facts[0] = UInt8(axis)
                withUnsafeBytes(of: Int32(KernelEvents.tabletRange)) { facts.replaceSubrange(12..<16, with: $0) }
                return ioctl(file, Request.setAbsolute, axis) == 0 && ioctl(file, Request.setUpAbsolute, &facts) == 0
            }
    }

    private static let refused = InputError.impossible(
        reason: "This computer's kernel made no pointer for Tandem, although /dev/uinput may be written."
    )
}
