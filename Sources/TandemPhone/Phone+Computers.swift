public import CommandClient
public import Commands
import Control
import Foundation
public import Kernel
import Logging
public import Pairing
public import Rights
import Sealing
import Sections
import ServiceLifecycle
import Signaling
import Storage
public import Transport

/// The paired computers, for apps, commands and features.
extension Phone {
    /// The paired computers as they are kept now, last seen first; also those whose pairing the computer has not confirmed yet.
    public func pairedDesktops() -> [PairedDesktop] { desktops.all() }

    /// - Parameter name: A computer's id or name; nil where only one is paired.
    /// - Throws: ``PhoneError``.
    public func desktop(named name: String?) async throws -> PairedDesktop {
        let all = desktops.all()
        guard !all.isEmpty else { throw PhoneError.nothingPaired }
        guard let name else {
            guard all.count == 1 else { throw PhoneError.severalComputers(all.map(\.deviceName)) }
            return all[0]
        }
        let matches = TypedDevice.matches(
            name,
            among: all,
            names: { [$0.deviceName] },
            id: { $0.pcPeerID }
        )
        guard matches.count == 1 else {
            throw matches.isEmpty
                ? PhoneError.unknownComputer(name)
                : .severalComputers(TypedDevice.choices(matches.map(\.pcPeerID), for: name))
        }
        return matches[0]
    }

    /// How a computer is reached now; nil while it is not.
    public func path(to desktopID: String) async -> LinkKind? {
        guard let link = await computers.known(desktopID) else { return await clear.path(to: desktopID) }
        guard case .connected(let path) = link.connection.state else { return nil }
        return path
    }

    /// The advice for a person about a method's permission before it is tried: that the computer does not allow it, and the command
    /// that its owner can type. Nil when it is allowed, and when the computer never said. Refuse nothing by it: the computer decides, and may
    /// have decided otherwise since.
    public nonisolated func advice(on permission: Permission, at desktop: PairedDesktop) -> String? {
        guard let allowed = desktop.allowed?.rights, allowed.isDisjoint(with: permission.rights) else { return nil }
        return Permission.advice(on: [permission.name], at: desktop.deviceName, for: configuration.device.name)
    }

    /// The advice about everything that the features here could do and the computer does not allow.
    nonisolated func advice(at desktop: PairedDesktop) -> String? {
        guard let allowed = desktop.allowed?.rights else { return nil }
        let missing = features.rights.sorted(features.rights.all.subtracting(allowed))
        guard !missing.isEmpty else { return nil }
        return Permission.advice(on: missing.map(\.rawValue), at: desktop.deviceName, for: configuration.device.name)
    }

    /// Asks a computer's owner for a right. The answer says how that stands; the owner's own comes with ``PairedDesktop/allowed``.
    ///
    /// - Throws: `RemoteFailure` where the computer refuses to ask, with what its owner can type where it is older and asks nobody.
    public nonisolated func ask(for right: Right, at desktop: PairedDesktop) async throws -> RightQuestionAnswer {
        do {
            return try await PhonePeer(phone: self, desktop: desktop).call(.askForRight, RightQuestion(right))
        } catch var failure as RemoteFailure where failure.code == FailureCode.unknownMethod {
            failure.explanation =
                "\(desktop.deviceName) has an older program, which asks nobody. Its owner allows it there with: "
                + "tandem devices allow \(identity.did) \(right)"
            throw failure
        }
    }

    /// Lets this phone use what it may not use by itself at a computer that cannot seal, or takes it back.
    ///
    /// - Returns: The record now.
    /// - Throws: ``PhoneError/sealed(name:)`` for a computer that seals: what a phone may do there is said there.
    func change(
        _ desktop: PairedDesktop,
        _ change: @escaping @Sendable (Set<Right>) -> Set<Right>
    ) async throws -> PairedDesktop {
        guard !desktop.isEndToEnd else { throw PhoneError.sealed(name: desktop.deviceName) }
        let changed = try await desktops.update(desktop.pcPeerID) { $0.clearRights = change($0.clearRights) }
        guard let changed else { throw PhoneError.unknownComputer(desktop.deviceName) }
        // Before the next command, which may come sooner than the list's change.
        await clear.link(to: changed).update(changed)
        return changed
    }

    /// Gives a computer another name on this phone.
    ///
    /// - Returns: The record now.
    /// - Throws: ``PhoneError/unknownComputer(_:)`` for one that was forgotten meanwhile.
    package func rename(_ desktop: PairedDesktop, to name: String) async throws -> PairedDesktop {
        guard let renamed = try await desktops.update(desktop.pcPeerID, { $0.deviceName = name }) else {
            throw PhoneError.unknownComputer(desktop.deviceName)
        }
        return renamed
    }

    /// Calls one method of a paired computer.
    ///
    /// - Throws: ``PhoneError``, `RemoteFailure` when the computer refused, `RemoteError` when no answer came.
    public func call(
        _ method: String,
        _ params: JSONValue,
        on desktop: PairedDesktop,
        timeout: Duration = .seconds(30)
    ) async throws -> JSONValue {
        guard desktop.isEndToEnd else {
            return try await clear.link(to: desktop).invoke(method, params, timeout: timeout)
        }
        let link = try await knownLink(to: desktop)
        do {
            return try await link.invoke(method, params, timeout: timeout)
        } catch RemoteError.notPaired {
            throw PhoneError.notPaired(name: desktop.deviceName)
        } catch RemoteError.notConnected {
            // Its session is closed: because the computer does not know this phone any more, or because the phone ends.
            let isKnown = desktops.record(desktop.pcPeerID) != nil
            throw isKnown ? RemoteError.notConnected : PhoneError.notPaired(name: desktop.deviceName)
        }
    }

    /// The session with a computer, made when the list that opens sessions has not come yet: it is just paired.
    ///
    /// - Throws: ``PhoneError/notPaired(name:)`` for a computer whose record is gone.
    private func knownLink(to desktop: PairedDesktop) async throws -> ComputerLink {
        let link = await computers.link(to: desktop)
        guard desktops.record(desktop.pcPeerID) != nil else { throw PhoneError.notPaired(name: desktop.deviceName) }
        guard let link else { throw RemoteError.notConnected }
        return link
    }

    /// Calls a method now, or as soon as the computer is there: the call is on disk when this returns.
    ///
    /// - Throws: ``OfflineQueueError`` for a method that may not wait.
    public func enqueue(_ method: String, _ params: JSONValue, for desktop: PairedDesktop) async throws -> QueuedCommand
    {
        guard desktop.isEndToEnd else { throw ClearRefusal.cannotWait(computer: desktop.deviceName) }
        return try await queue.enqueue(method, params, for: desktop.pcPeerID, mobileDID: identity.did)
    }

    /// A feature's part for a computer, for example the client that moves files.
    public func part<Part: ComputerPart>(_ type: Part.Type, of desktop: PairedDesktop) async throws -> Part {
        let parts =
            desktop.isEndToEnd ? try await knownLink(to: desktop).parts : await clear.link(to: desktop).parts
        guard let part = parts.part(type) else { throw PhoneError.noFeature("\(type)") }
        return part
    }

    /// How a computer is reached, now and after each change; ends when it is forgotten.
    public func paths(to desktop: PairedDesktop) async throws -> AsyncStream<PeerConnectionState> {
        guard desktop.isEndToEnd else { return await clear.link(to: desktop).states() }
        return try await knownLink(to: desktop).connection.states()
    }

    /// Events that a computer tells from now on. Slow readers miss the oldest; content that must be whole is numbered and asked for again.
    public func events(of desktop: PairedDesktop) async throws -> AsyncStream<RemoteEvent> {
        guard desktop.isEndToEnd else { return await clear.link(to: desktop).events.subscribe() }
        guard let link = await computers.link(to: desktop) else { throw RemoteError.notConnected }
        return link.events.subscribe()
    }

    /// A computer as features' clients use it.
    public nonisolated func peer(_ desktop: PairedDesktop) -> some Peer { PhonePeer(phone: self, desktop: desktop) }

    /// Where servers are met, for `status`.
    func servers() async -> [SignalNetwork.Server] { await network.servers() }
}

extension Phone: PairedComputers {
    public func peer(named name: String?) async throws -> any Peer {
        try requireAwake()
        return peer(try await desktop(named: name))
    }

    public nonisolated func paired() -> AsyncStream<[PairedComputer]> {
        let lists = desktops.list()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let following = Task {
                for await list in lists {
                    continuation.yield(list.map { PairedComputer(id: $0.pcPeerID, name: $0.deviceName) })
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in following.cancel() }
        }
    }

    public nonisolated func advice(on right: Right, at computer: String) -> String? {
        guard let desktop = desktops.record(computer), let allowed = desktop.allowed?.rights, !allowed.contains(right)
        else { return nil }
        return Permission.advice(on: [right.rawValue], at: desktop.deviceName, for: configuration.device.name)
    }

    public func part<Part: ComputerPart>(_ type: Part.Type, forComputer id: String) async throws -> Part {
        try await part(type, of: desktop(named: id))
    }
}

/// A paired computer as features' clients use it.
struct PhonePeer: Peer {
    let phone: Phone
    let desktop: PairedDesktop

    var id: String { desktop.pcPeerID }
    var isSealed: Bool { desktop.isEndToEnd }

    func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        try await phone.call(method, params, on: desktop, timeout: timeout)
    }

    func events() async throws -> AsyncStream<RemoteEvent> { try await phone.events(of: desktop) }

    func reachability() async throws -> AsyncStream<Bool> {
        let states = try await phone.paths(to: desktop)
        // A session keeps as many of its states: a slow reader misses the oldest.
        return AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            let following = Task {
                for await state in states {
                    if case .connected = state { continuation.yield(true) } else { continuation.yield(false) }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in following.cancel() }
        }
    }
}

extension Permission {
    /// The owner's command is the one that a computer's refusal names.
    fileprivate static func advice(on names: [String], at computer: String, for phone: String) -> String {
        """
        \(computer) does not allow this phone \(names.joined(separator: ", ")). Ask for it with: \
        tandem devices ask \(names[0]). Its owner allows it there with: \
        tandem devices allow \(TerminalText.name(phone)) \(names.joined(separator: " "))
        """
    }
}
