import Foundation
import Kernel
import NIOCore
import Synchronization
import Transport

/// Where frames go.
extension RelayConnection {
    enum Plan {
        /// A `message` for a device that is connected: the payload goes between this sender's prefix and the time.
        case forward(RelayConnection, payload: Range<Int>)
        /// Answered, stored or refused already.
        case done
    }

    /// A message in scratch memory.
    func receive(_ kind: WebSocketDataKind, _ bytes: UnsafeRawBufferPointer, _ facts: ByteFacts) {
        if kind == .binary, isProven, let first = bytes.first, (1...8).contains(first) {
            return forwardBinary(bytes)
        }
        guard case .forward(let target, let range) = plan(kind, bytes, facts) else { return }
        prefix.withUnsafeBytes { head in
            loop.suffix.withUnsafeBytes { tail in
                loop.send(.text, head, UnsafeRawBufferPointer(rebasing: bytes[range]), tail, to: target)
            }
        }
        loop.countForwarded(range.count)
    }

    /// A message in a buffer of its own, which becomes the frame that is forwarded.
    func receive(_ kind: WebSocketDataKind, _ message: consuming ByteBuffer, _ facts: ByteFacts) {
        var frame = message
        if kind == .binary, isProven, let first = frame.getInteger(at: frame.readerIndex, as: UInt8.self),
            (1...8).contains(first)
        {
            return forwardBinary(whole: consume frame)
        }
        guard case .forward(let target, let range) = frame.withUnsafeReadableBytes({ plan(kind, $0, facts) }) else {
            return
        }
        loop.countForwarded(range.count)
        frame.splice(payload: range, prefix: prefix, suffix: loop.suffix)
        loop.send(whole: frame, to: target)
    }

    private func plan(_ kind: WebSocketDataKind, _ bytes: UnsafeRawBufferPointer, _ facts: ByteFacts) -> Plan {
        // Text was checked by the reader; JSON in a binary frame was not.
        if kind == .binary, facts.hasNonASCII, !UTF8Check.isValid(bytes) { return refuse("Invalid message format") }
        let frame: ScannedFrame
        do throws(FrameScanError) {
            frame = try FrameScanner.scan(bytes, facts: facts)
        } catch {
            return refuse("Invalid message format")
        }
        guard frame.kind != .null else { return refuse("Invalid message format") }
        guard let type = frame.type else { return refuse("Unknown message type: undefined") }
        if Self.messageToken.isEqual(to: bytes, type), let plan = planMessage(bytes, frame) { return plan }
        dispatch(bytes, frame, type)
        return .done
    }

    private static let messageToken = Array(#""message""#.utf8)

    /// Nil when the short way does not fit: then the long way says why.
    @inline(__always)
    private func planMessage(_ bytes: UnsafeRawBufferPointer, _ frame: ScannedFrame) -> Plan? {
        guard !prefix.isEmpty, let to = frame.to, let payload = frame.payload, JSONText.isTruthy(bytes, payload),
            let memo, memo.token.isEqual(to: bytes, to),
            memo.generation == memo.target.generation.load(ordering: .acquiring)
        else { return nil }
        return .forward(memo.target, payload: payload)
    }

    private func dispatch(_ bytes: UnsafeRawBufferPointer, _ frame: ScannedFrame, _ typeRange: Range<Int>) {
        guard let type = JSONText.string(bytes, typeRange) else {
            let token = String(decoding: bytes[typeRange].prefix(64), as: UTF8.self)
            return answer(error: "Unknown message type: \(token.hasPrefix("{") ? "[object Object]" : token)")
        }
        switch type {
        case "message": routeMessage(bytes, frame)
        case "register": register(bytes)
        case "ping":
            var pong = FrameText(type: "pong")
            pong.add("timestamp", number: loop.milliseconds)
            send(pong.finished())
        case "get-peers": sendPeers(includesSelf: false)
        case "peer-status" where relay.dialect == .embedded: sendStatus(bytes)
        case "route" where isProven: setRoute(bytes)
        default:
            if let signal = SignalType(rawValue: type) { return routeSignal(signal, bytes, frame) }
            answer(error: "Unknown message type: \(type.prefix(64))")
        }
    }

    // MARK: Answers

    /// - Parameter retryAfter: In how many milliseconds the same would be answered otherwise, where that is known.
    func answer(error: String, code: String? = nil, retryAfter: Int64? = nil) {
        relay.counters.framesRefused.add(1, ordering: .relaxed)
        var frame = FrameText(type: "error")
        frame.add("error", text: error)
        if let code { frame.add("code", text: code) }
        if let retryAfter { frame.add("retryAfter", number: retryAfter) }
        frame.add("timestamp", number: loop.milliseconds)
        send(frame.finished())
    }

    private func refuse(_ error: String) -> Plan {
        answer(error: error)
        return .done
    }

    // MARK: The long way

    /// The recipient named by a frame; nil when the sender was told what is wrong.
    func recipient(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>?, missing: String) -> Recipient? {
        guard let range, JSONText.isTruthy(bytes, range) else {
            answer(error: missing)
            return nil
        }
        switch PeerID.parse(bytes, range, limit: relay.limits.idBytes, acceptsNumbers: relay.isOpen) {
        case .id(let id): return .peer(id)
        case .notText(let token) where relay.isOpen: return .nobody(token)
        case .notText:
            answer(error: "The \"to\" field must be a string")
            return nil
        case .tooLong:
            answer(error: "The \"to\" field is at most \(relay.limits.idBytes) bytes")
            return nil
        }
    }

    enum Recipient {
        case peer(PeerID)
        /// Something that cannot be an id, as the legacy servers echo it.
        case nobody([UInt8])

        var token: [UInt8] {
            switch self {
            case .peer(let id): id.token
            case .nobody(let token): token
            }
        }
    }

    /// Whether this socket may send; it is told when not.
    func maySend() -> Bool {
        if sender != nil || relay.isOpen { return true }
        answer(error: "Register before sending", code: "not-registered")
        return false
    }

    private func routeMessage(_ bytes: UnsafeRawBufferPointer, _ frame: ScannedFrame) {
        let hasPayload = frame.payload.map { JSONText.isTruthy(bytes, $0) } ?? false
        let hasRecipient = frame.to.map { JSONText.isTruthy(bytes, $0) } ?? false
        switch relay.dialect {
        case .standalone where !hasPayload || !hasRecipient:
            return answer(error: "Missing \"to\" or \"payload\" field")
        case .embedded where hasRecipient && !hasPayload:
            return answer(error: "Missing \"payload\" field in message")
        default: break
        }
        let missing = "Missing \"to\" field in message"
        guard let recipient = recipient(bytes, frame.to, missing: missing), let to = frame.to,
            let payload = frame.payload,
            maySend()
        else { return }
        let head = prefix.isEmpty ? openPrefix(bytes, frame) : prefix
        let forwarded = head + bytes[payload] + loop.suffix
        let makesContact = !Self.declinesContact(bytes)
        forward(forwarded, to: recipient, token: Array(bytes[to]), notice: .message, makesContact: makesContact)
        loop.countForwarded(payload.count)
    }

    /// Whether a frame says `"contact":false`: its sender answers a stranger and wants no contact.
    private static func declinesContact(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let members = try? FrameScanner.members(bytes) else { return false }
        return SignalContent(bytes: bytes, members: members)["contact"] == Array("false".utf8)
    }

    /// How the open servers began a message of a device that had not registered.
    private func openPrefix(_ bytes: UnsafeRawBufferPointer, _ frame: ScannedFrame) -> [UInt8] {
        var text = FrameText(type: "message")
        switch relay.dialect {
        case .standalone: text.add("from", raw: Array("null".utf8))
        case .embedded:
            if let from = frame.from { text.add("from", raw: bytes[from]) }
        }
        return text.bytes + Array(",\"payload\":".utf8)
    }

    /// Sends a frame to its recipient, or keeps it.
    ///
    /// - Parameter token: The recipient as the sender spelt it, for the next frame.
    func forward(
        _ frame: [UInt8],
        to recipient: Recipient,
        token: [UInt8],
        notice: OfflineNotice,
        makesContact: Bool = true
    ) {
        guard case .peer(let id) = recipient else { return sendOffline(recipient.token, notice) }
        if id.isAlias, !mayLookUpAliases() { return sendOffline(id.token, notice) }
        let isWaitingLocal = relay.registry.isWaitingLocal(id)
        switch relay.registry.target(id, otherwise: { keep(frame, for: id, notice, isLocal: isWaitingLocal) }) {
        case .success(let target):
            // The short way notes no recipient, so it is only for recipients noted before.
            if makesContact {
                noteSent(to: id, isHere: true)
                memo = Memo(token: token, target: target.connection, generation: target.generation)
            }
            loop.send(frame, to: target.connection)
        case .failure(let away):
            if makesContact { noteSent(to: id, isHere: isWaitingLocal) }
            switch away.value {
            case .queued: break
            case .unknownAlias:
                noteUnknownAlias()
                sendOffline(id.token, notice)
            case .notKept: sendOffline(id.token, notice)
            case .full: sendNotStored(id.token, notice)
            }
        }
    }

    /// Whether this socket, and its address, may still ask for codes they might be guessing.
    func mayLookUpAliases() -> Bool {
        aliases.holds(1, now: loop.nanoseconds) && address.mayLookUpAliases(now: loop.nanoseconds)
    }

    func noteUnknownAlias() {
        _ = aliases.take(1, now: loop.nanoseconds)
        address.takeAlias(now: loop.nanoseconds)
    }

    private enum Kept { case queued, unknownAlias, notKept, full }

    /// Called while the registry is locked: queues, and nothing else.
    private func keep(_ bytes: [UInt8], for id: PeerID, _ notice: OfflineNotice, isLocal: Bool) -> Kept {
        // The device that shows the code next must not get what was meant for the one that showed it before.
        guard !id.isAlias else { return .unknownAlias }
        guard relay.configuration.keepsMail(id.description) else { return .notKept }
        guard isUnmetered || address.takeMail(bytes.count, now: loop.nanoseconds) else { return .full }
        let frame = MailboxFrame(
            recipient: id,
            sender: sender,
            isProven: isProven,
            storedAt: loop.milliseconds,
            bytes: bytes
        )
        let isQueued = relay.store.enqueue(
            .store(frame) { [relay, loop, number] isStored in
                if isStored { relay.counters.framesStored.add(1, ordering: .relaxed) }
                loop.perform(for: number) { $0.stored(isStored, id, notice, isLocal: isLocal) }
            }
        )
        return isQueued ? .queued : .full
    }

    private func stored(_ isStored: Bool, _ id: PeerID, _ notice: OfflineNotice, isLocal: Bool) {
        guard isStored else { return sendNotStored(id.token, notice) }
        guard isLocal, case .signal(.offer, _) = notice, relay.dialect == .embedded else {
            return sendOffline(id.token, notice)
        }
        var pending = FrameText(type: "offer-pending")
        pending.add("peerId", raw: id.token)
        pending.add("message", text: "The computer is starting. The offer is kept for it.")
        pending.add("timestamp", number: loop.milliseconds)
        send(pending.finished())
    }

    /// Tells the sender that its frame is lost, and why it did not arrive: the error names no device, and without the name a sender would wait
    /// for an answer in vain.
    private func sendNotStored(_ token: [UInt8], _ notice: OfflineNotice) {
        answer(error: "The message could not be kept. Try again later.", code: "not-stored")
        sendOffline(token, notice)
    }

    /// Tells the sender that the device is away, in its dialect.
    private func sendOffline(_ token: [UInt8], _ notice: OfflineNotice) {
        var frame = FrameText(type: "peer-offline")
        frame.add("peerId", raw: token)
        switch relay.dialect {
        case .embedded:
            // Candidates come by the dozen; the observed server says nothing about them.
            guard notice.isAnnouncedWhenEmbedded else { return }
            frame.add("messageType", text: notice.type)
            frame.add("timestamp", number: loop.milliseconds)
        case .standalone:
            if let id = notice.messageID {
                frame.add("messageId", raw: id)
            } else {
                frame.add("messageId", text: UUID().uuidString.lowercased())
            }
        }
        send(frame.finished())
    }

    /// Remembers who sends to whom: presence is shown to those who exchanged frames.
    ///
    /// - Parameter isHere: Whether the recipient is connected. Who is not must be known, or ids that do not exist would fill the disk.
    func noteSent(to id: PeerID, isHere: Bool) {
        guard let sender, sender != id, !id.isAlias, !sender.isAlias, noted.count < relay.limits.contacts,
            !noted.contains(id), isHere || notedAway.count < relay.limits.contacts && !notedAway.contains(id),
            isUnmetered || address.takeNewContact(now: loop.nanoseconds)
        else { return }
        let pair = SentPair(sender: sender, recipient: id, at: loop.milliseconds, isRecipientHere: isHere)
        let isQueued = relay.store.enqueue(
            .note(pair) { [relay] isMutual in
                if isMutual { relay.registry.connect(pair.sender, pair.recipient) }
            }
        )
        guard isQueued else { return }
        // A device that was away is noted again once it came.
        if isHere { noted.insert(id) } else { notedAway.insert(id) }
    }
}

extension [UInt8] {
    @inline(__always)
    fileprivate func isEqual(to bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        guard count == range.count, let base = bytes.baseAddress else { return false }
        return withUnsafeBytes { own in
            own.baseAddress.map { memcmp($0, base + range.lowerBound, range.count) == 0 } ?? false
        }
    }
}

extension ByteBuffer {
    /// Makes a received message the frame that is forwarded, around its payload, in place.
    ///
    /// - Parameter range: The payload, within the readable bytes.
    mutating func splice(payload range: Range<Int>, prefix: [UInt8], suffix: [UInt8]) {
        let lower = readerIndex + range.lowerBound
        let upper = readerIndex + range.upperBound
        let count = prefix.count + range.count + suffix.count
        let head = WebSocketFrameWriter.headLength(payload: count)
        let start = lower - prefix.count - head
        guard start >= 0 else {
            // A prefix longer than the headroom: an id of escapes only.
            let payload = Array(viewBytes(at: lower, length: range.count) ?? ByteBufferView())
            clear()
            prefix.withUnsafeBytes { prefix in
                payload.withUnsafeBytes { payload in
                    suffix.withUnsafeBytes { _ = writeFrame(.text, prefix, payload, $0) }
                }
            }
            return
        }
        moveWriterIndex(to: upper)
        writeBytes(suffix)
        setBytes(prefix, at: lower - prefix.count)
        moveReaderIndex(to: start)
        withUnsafeMutableReadableBytes { memory in
            guard let base = memory.baseAddress else { return }
            WebSocketFrameWriter.writeHead(.text, payload: count, to: base)
        }
    }
}
