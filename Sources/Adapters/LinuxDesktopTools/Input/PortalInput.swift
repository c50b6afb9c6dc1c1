import Foundation
import Glibc
import Kernel
import LinuxBus
import RemoteInput
import RemoteInputHost
import Synchronization

/// The pointer and the keyboard that a desktop lends by its portal, once its person has said yes.
///
/// Places need a stream of the screen beside the session, which Tandem does not open: the pointer moves from where it is.
final class PortalInput: InputDevice {
    private struct Batch: Sendable {
        let actions: [InputAction]
        let done: @Sendable (InputError?) -> Void
    }

    /// The time that the person at the computer has to say yes: less than the phone waits.
    static let patience = Duration.seconds(60)
    /// A question that the desktop answers by itself is not told of.
    private static let quiet = Duration.seconds(1)
    /// A wheel's notch, in the length that compositors give it.
    private static let notch = 15.0
    /// Batches that wait; the skill sends one after the other.
    private static let batchLimit = 16

    let facts = InputDeviceFacts(way: "portal", typesText: true, stopKey: nil, places: false)
    private let session: PortalSession
    private let batches: AsyncStream<Batch>.Continuation
    private let tasks = OwnedTasks()

    private init(_ session: PortalSession) {
        self.session = session
        let (batches, add) = AsyncStream.makeStream(of: Batch.self, bufferingPolicy: .bufferingOldest(Self.batchLimit))
        self.batches = add
        tasks.add {
            for await batch in batches { batch.done(await Self.perform(batch.actions, session)) }
        }
    }

    /// Whether the desktop has a portal that lends its pointer and keyboard.
    ///
    /// - Throws: ``InputError/impossible(reason:)``.
    static func check(_ environment: [String: String], time: any TimeSource) async throws(InputError) {
        do {
            try await PortalSession.check(try SessionBusAddress.find(in: environment), time: time)
        } catch {
            throw sentence(error)
        }
    }

    /// - Throws: ``InputError``; `CancellationError`.
    static func open(
        _ opening: InputOpening,
        environment: [String: String],
        work: BlockingWork,
        time: any TimeSource
    ) async throws -> PortalInput {
        let memory = PortalMemory(folder: opening.folder)
        let token = try await work.finish { memory.token }
        let asking = OwnedTasks()
        asking.add { if await time.pause(for: quiet) { opening.asks(patience) } }
        do {
            let session = try await PortalSession.open(
                try SessionBusAddress.find(in: environment),
                token: token,
                patience: patience,
                time: time
            ) { byPerson in
                guard byPerson else { return opening.ended(.failed) }
                // Who ended it at the desktop is asked the next time.
                work.perform {
                    memory.keep(nil)
                    opening.ended(.owner)
                }
            }
            await asking.end()
            // A token is good for one session, whose answer brings the next one.
            try await work.finish { memory.keep(session.restoreToken) }
            return PortalInput(session)
        } catch {
            await asking.end()
            if error is CancellationError { throw error }
            throw sentence(error)
        }
    }

    func begin(_ actions: [InputAction], done: @escaping @Sendable (InputError?) -> Void) {
        switch batches.yield(Batch(actions: actions, done: done)) {
        case .enqueued: return
        default: done(.failed(reason: "the desktop takes no more events."))
        }
    }

    func close() async {
        // What was held down was let go of before; moves that still wait are dropped with the session.
        batches.finish()
        await session.close()
        await tasks.end()
    }

    // MARK: Steps

    private static func perform(_ actions: [InputAction], _ session: PortalSession) async -> InputError? {
        do {
            for action in actions {
                for event in events(of: action) { try await session.notify(event.member, event.arguments) }
            }
            return nil
        } catch BusError.refused(let reason) {
            return .failed(reason: "the desktop said no: \(TerminalText.line(reason)).")
        } catch {
            return .failed(reason: "the desktop's portal does not answer.")
        }
    }

    /// One call of the portal.
    struct Event: Hashable {
        let member: String
        let arguments: [BusArgument]

        init(_ member: String, _ arguments: BusArgument...) {
            self.member = member
            self.arguments = arguments
        }
    }

    static func events(of action: InputAction) -> [Event] {
        switch action {
        case .move(let dx, let dy): return [Event("NotifyPointerMotion", .double(dx), .double(dy))]
        // The skill takes none for this way.
        case .place: return []
        case .button(let button, let isDown):
            let code = Int32(bitPattern: LinuxKeyCode.of(button))
            return [Event("NotifyPointerButton", .signed(code), .unsigned(isDown ? 1 : 0))]
        case .wheel(let dx, let dy):
            guard dx == dx.rounded(), dy == dy.rounded() else {
                return [Event("NotifyPointerAxis", .double(dx * notch), .double(dy * notch))]
            }
            return [(UInt32(0), dy), (1, dx)].filter { $0.1 != 0 }.map { axis, notches in
                Event("NotifyPointerAxisDiscrete", .unsigned(axis), .signed(Int32(notches)))
            }
        case .key(let key, let isDown):
            // A named key is where every keyboard has it; a character is where the desktop's layout has it.
            if case .named = key, let code = LinuxKeyCode.of(key) {
                return [Event("NotifyKeyboardKeycode", .signed(Int32(code)), .unsigned(isDown ? 1 : 0))]
            }
            return [symbol(KeySymbol(key), isDown)]
        case .text(let text):
            return text.unicodeScalars.flatMap { [symbol(KeySymbol($0), true), symbol(KeySymbol($0), false)] }
        }
    }

    private static func symbol(_ symbol: KeySymbol, _ isDown: Bool) -> Event {
        Event("NotifyKeyboardKeysym", .signed(Int32(bitPattern: symbol.value)), .unsigned(isDown ? 1 : 0))
    }

    // MARK: Sentences

    private static func sentence(_ error: any Error) -> InputError {
        switch error {
        case let error as InputError: error
        case PortalSession.Failure.declined:
            .declined(reason: "The person at the computer did not allow it in the question of its desktop.")
        case PortalSession.Failure.unanswered:
            .declined(
                reason: "Nobody answered the question of the computer's desktop. Ask the person there, and try again."
            )
        case PortalSession.Failure.ended:
            .declined(
                reason:
                    "The computer's desktop ended its question without an answer. Look at its screen, and try again."
            )
        case PortalSession.Failure.partly:
            .declined(
                reason: """
                    The person at the computer allowed only a part of the pointer and the keyboard. Try again, and have both allowed \
                    there.
                    """
            )
        case PortalSession.Failure.missing:
            .impossible(reason: "The computer's desktop has no portal that lends its pointer and keyboard.")
        case BusError.noSession:
            .impossible(reason: "Tandem does not see the message bus of the computer's session.")
        default: .impossible(reason: "The portal of the computer's desktop cannot be used: \(error)")
        }
    }
}

/// The token by which a desktop knows a permission that its person gave before. Only the owner may read its file.
struct PortalMemory: Sendable {
    private let path: String

    /// - Parameter folder: Of remote input.
    init(folder: URL) { path = folder.appendingPathComponent("portal-token").path }

    /// Nil for none, and for what is no token.
    var token: String? {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { Glibc.close(file) }
        var bytes = [UInt8](repeating: 0, count: PortalName.tokenLimit + 1)
        let count = read(file, &bytes, bytes.count)
        guard (1...PortalName.tokenLimit).contains(count) else { return nil }
        let text = String(validating: bytes.prefix(count), as: UTF8.self)
        return text.flatMap { $0.utf8.contains(0) ? nil : $0 }
    }

    /// Keeps another token in its place. Where that fails, the desktop asks again.
    func keep(_ token: String?) {
        unlink(path)
        guard let token, !token.isEmpty, token.utf8.count < PortalName.tokenLimit else { return }
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        defer { Glibc.close(file) }
        let bytes = Array(token.utf8)
        if write(file, bytes, bytes.count) != bytes.count { unlink(path) }
    }
}
