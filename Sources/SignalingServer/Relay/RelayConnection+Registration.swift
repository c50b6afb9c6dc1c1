import Kernel
import NIOCore
import Sealing
import Synchronization
import Transport

/// Registration: a socket takes ids, and gives them up.
extension RelayConnection {
    func register(_ bytes: UnsafeRawBufferPointer) {
        let content: SignalContent
        do throws(FrameScanError) {
            content = SignalContent(bytes: bytes, members: try FrameScanner.members(bytes))
        } catch {
            return answer(error: "Invalid message format")
        }
        guard let range = content.value("peerId") else {
            return answer(
                error: relay.dialect == .embedded ? "peerId is required for registration" : "peerId is required"
            )
        }
        let id: PeerID
        switch PeerID.parse(bytes, range, limit: relay.limits.idBytes, acceptsNumbers: relay.isOpen) {
        case .id(let parsed): id = parsed
        case .tooLong: return answer(error: "peerId is at most \(relay.limits.idBytes) bytes", code: "invalid-id")
        case .notText: return answer(error: "peerId must be a string", code: "invalid-id")
        }
        let type = content["deviceType"]
        let info = content["deviceInfo"]
        guard (type?.count ?? 0) <= relay.limits.idBytes, (info?.count ?? 0) <= relay.limits.deviceInfoBytes else {
            return answer(error: "deviceInfo is at most \(relay.limits.deviceInfoBytes) bytes", code: "invalid-device")
        }
        guard ids.contains(id) || ids.count < relay.limits.idsPerSocket else {
            return answer(error: "A connection has at most \(relay.limits.idsPerSocket) ids", code: "too-many-ids")
        }
        slowDown(address.spendRegistration(now: loop.nanoseconds))
        guard let proof = content.range("e2e") else {
            return claim(RegistrationClaim(id: id, proof: nil, deviceType: type, deviceInfo: info, address: address))
        }
        registerProving(id, UnsafeRawBufferPointer(rebasing: bytes[proof]), type, info)
    }

    /// A client that can sign: it gets a challenge, or has answered one.
    private func registerProving(_ id: PeerID, _ proof: UnsafeRawBufferPointer, _ type: [UInt8]?, _ info: [UInt8]?) {
        hasSentProof = true
        guard let members = try? FrameScanner.members(proof),
            let key = key(SignalContent(bytes: proof, members: members))
        else { return refuse(.proofFailed) }  // an unreadable proof is no proof
        let content = SignalContent(bytes: proof, members: members)
        guard let signature = content.text("sig"), let nonce = content.text("nonce") else { return sendChallenge(id) }
        // A challenge is valid once, also when the proof fails.
        let expected = challenge
        challenge = nil
        guard let expected, expected.id == id, loop.nanoseconds < expected.expiresAt,
            Base64URL.decode(nonce) == expected.nonce, let signed = Base64URL.decode(signature), signed.count == 64,
            let binding = binding(content)
        else { return refuse(.proofFailed) }
        claim(
            RegistrationClaim(
                id: id,
                proof: .init(key: key, signature: signed, nonce: expected.nonce, host: host, binding: binding.value),
                deviceType: type,
                deviceInfo: info,
                address: address
            )
        )
    }

    /// The channel that a proof says it is bound to; nil when that is not this one.
    private func binding(_ content: SignalContent) -> (value: ChannelBinding?, Void)? {
        guard content.range("cb") != nil else { return (nil, ()) }
        guard let certificateHash, content.text("cbType") == ChannelBinding.serverEndPoint,
            content.text("cb").flatMap({ Base64URL.decode($0) }) == certificateHash
        else { return nil }
        return (ChannelBinding(certificateHash: certificateHash), ())
    }

    private func key(_ content: SignalContent) -> DID? {
        guard let text = content.text("key"), let key = try? DID(text), key.signingKey != nil else { return nil }
        return key
    }

    private func sendChallenge(_ id: PeerID) {
        let nonce = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        let lifetime = relay.limits.challengeLifetime.nanoseconds
        challenge = Challenge(id: id, nonce: nonce, expiresAt: loop.nanoseconds + lifetime)
        var frame = FrameText(type: "challenge")
        frame.add("peerId", raw: id.token)
        frame.add("nonce", text: Base64URL.encode(nonce))
        // A proof that names the certificate it was made over cannot be passed on over another one.
        if certificateHash != nil { frame.add("cb", raw: Array(#"["\#(ChannelBinding.serverEndPoint)"]"#.utf8)) }
        frame.add("timestamp", number: loop.milliseconds)
        send(frame.finished())
    }

    private func refuse(_ refusal: RegistrationRefusal) {
        let now = loop.nanoseconds
        let wait = refusal == .aliasLimit ? max(aliases.wait(for: 1, now: now), address.waitForAlias(now: now)) : nil
        answer(error: refusal.sentence, code: refusal.rawValue, retryAfter: wait.map(Self.milliseconds))
    }

    /// Rounded up: who comes then is not refused again. A day at most, which is as good as never.
    private static func milliseconds(_ nanoseconds: UInt64) -> Int64 {
        Int64(min(nanoseconds / 1_000_000 + 1, 86_400_000))
    }

    /// Asks the directory. What the client sends meanwhile waits, so that it cannot overtake its own registration.
    private func claim(_ claim: RegistrationClaim) {
        let isQueued = relay.store.enqueue(
            .register(claim) { [loop, number] result in
                loop.perform(for: number) { $0.takeProof(claim, result) }
            }
        )
        guard isQueued else { return refuse(.unavailable) }
        stopReading(.registering)
    }

    private func takeProof(_ claim: RegistrationClaim, _ result: Result<DirectoryEntry, RegistrationRefusal>) {
        guard phase == .open else { return }
        if case .success = result, let refusal = refusalOfPlace(claim) {
            refuse(refusal)
            return resumeReading(.registering)
        }
        let expiry = claim.id.isAlias ? loop.nanoseconds + relay.limits.aliasLifetime.nanoseconds : nil
        let registered = result.flatMap { entry in
            relay.registry.register(
                claim,
                entry: entry,
                connection: self,
                now: loop.milliseconds,
                expiresAt: expiry
            )
        }
        switch registered {
        case .failure(let refusal): refuse(refusal)
        case .success(let registered): becameReachable(claim, registered)
        }
        resumeReading(.registering)
    }

    /// Why a genuine claim has no room here; nil when it has.
    private func refusalOfPlace(_ claim: RegistrationClaim) -> RegistrationRefusal? {
        let isExempt = claim.proof.map { relay.configuration.isUnmetered($0.key) } ?? false
        // Free or taken, the answer says something about the code, so it costs what looking one up costs.
        if claim.id.isAlias, !ids.contains(claim.id), !isExempt {
            let now = loop.nanoseconds
            guard aliases.take(1, now: now), address.takeAlias(now: now) else { return .aliasLimit }
        }
        return takePlace(for: claim) ? nil : .full
    }

    private func becameReachable(_ claim: RegistrationClaim, _ registered: Registry.Registered) {
        if let replaced = registered.replaced {
            replaced.loop.perform { _ in replaced.replaced() }
        }
        adopt(claim)
        var frame = FrameText(type: "registered")
        frame.add("peerId", raw: claim.id.token)
        frame.add("serverTime", number: loop.milliseconds)
        if relay.dialect == .embedded { frame.add("isReconnect", flag: registered.isReconnect) }
        if claim.proof != nil {
            if let page = relay.configuration.phonePage(host) { frame.add("phonePage", text: page) }
            frame.add("e2e", raw: Array(#"{"v":1,"proven":true,"binary":true}"#.utf8))
        }
        send(frame.finished())
        if claim.id.isAlias { return }
        drains += 1
        deliver(claim, registered, after: 0)
    }

    private func adopt(_ claim: RegistrationClaim) {
        if claim.id.isAlias {
            // One code at a time: a new one takes the place of the one before.
            drop(ids.filter { $0.isAlias && $0 != claim.id })
        }
        if !ids.contains(claim.id) { ids.append(claim.id) }
        if let proof = claim.proof { provenKey = proof.key }
        // The latest id speaks for the socket, as observed; a code only while there is nothing else.
        if !claim.id.isAlias || sender == nil { speak(as: claim.id) }
        allowFullMessages()
        hasRegistered()
    }

    private func speak(as id: PeerID?) {
        guard sender != id else { return }
        freeInboundRoutes()
        sender = id
        (noted, notedAway) = ([], [])
        guard let id else {
            prefix = []
            return
        }
        prefix = Array(#"{"type":"message","from":"#.utf8) + id.token + Array(#","payload":"#.utf8)
    }

    /// Gives up some ids while the socket stays.
    func drop(_ dropped: [PeerID]) {
        guard !dropped.isEmpty else { return }
        _ = relay.registry.remove(dropped, of: self)
        ids.removeAll { dropped.contains($0) }
        if let sender, dropped.contains(sender) { speak(as: ids.last { !$0.isAlias } ?? ids.last) }
        // A socket whose code is over is a socket without an id.
        if ids.isEmpty { awaitRegistration() }
    }

    /// Another socket has the id now.
    private func replaced() {
        close(hasSentProof ? .replaced : nil, reason: hasSentProof ? "replaced" : "")
    }

    // MARK: Mailbox

    /// Sends what waited, page by page, each removed once it was written; then says that the device is here.
    private func deliver(_ claim: RegistrationClaim, _ registered: Registry.Registered, after last: Int64) {
        let since = loop.milliseconds - relay.limits.mailboxLifetime.milliseconds
        let isQueued = relay.store.enqueue(
            .read(claim.id, after: last, since: since) { [loop, number] frames in
                loop.perform(for: number) { $0.delivered(claim, registered, frames) }
            }
        )
        if !isQueued { delivered(claim, registered, []) }
    }

    private func delivered(_ claim: RegistrationClaim, _ registered: Registry.Registered, _ frames: [NumberedFrame]) {
        guard phase == .open else { return }
        guard let last = frames.last else {
            drains -= 1
            releaseHeld()
            announce(claim, registered)
            return
        }
        var buffer = loop.takeBuffer()
        for frame in frames {
            let head = Array(#"{"type":"offline-message","originalMessage":"#.utf8)
            let tail = Array(#","storedAt":\#(frame.storedAt),"deliveredAt":\#(loop.milliseconds)}"#.utf8)
            head.withUnsafeBytes { head in
                frame.bytes.withUnsafeBytes { body in
                    tail.withUnsafeBytes { _ = buffer.writeFrame(.text, head, body, $0) }
                }
            }
        }
        write(buffer) { [relay, loop, number] in
            relay.counters.framesDelivered.add(frames.count, ordering: .relaxed)
            // Not removed means delivered twice, so the order is this one.
            _ = relay.store.enqueue(.remove(claim.id, through: last.number))
            loop.perform(for: number) { $0.deliver(claim, registered, after: last.number) }
        }
    }

    // MARK: Presence

    private func announce(_ claim: RegistrationClaim, _ registered: Registry.Registered) {
        guard ids.contains(claim.id) else { return }
        let audience = relay.registry.audience(
            of: claim.id,
            contacts: registered.contacts,
            isOpen: relay.isOpen,
            before: registered.order,
            except: self
        )
        guard !audience.isEmpty else { return }
        var frame = FrameText(type: "peer-status")
        frame.add("peerId", raw: claim.id.token)
        frame.add("status", text: "online")
        if let type = claim.deviceType { frame.add("deviceType", raw: type) }
        if let info = claim.deviceInfo { frame.add("deviceInfo", raw: info) }
        frame.add("timestamp", number: loop.milliseconds)
        let bytes = frame.finished()
        for connection in audience { loop.send(bytes, to: connection) }
    }

    /// Gives up every id and tells those who care. Harmless when repeated.
    func leave() {
        guard !ids.isEmpty else { return }
        let removed = relay.registry.remove(ids, of: self)
        ids = []
        speak(as: nil)
        for (id, contacts) in removed where !id.isAlias {
            let audience = relay.registry.audience(of: id, contacts: contacts, isOpen: relay.isOpen, except: self)
            guard !audience.isEmpty else { continue }
            var frame = FrameText(type: "peer-status")
            frame.add("peerId", raw: id.token)
            frame.add("status", text: "offline")
            frame.add("timestamp", number: loop.milliseconds)
            let bytes = frame.finished()
            for connection in audience { loop.send(bytes, to: connection) }
        }
    }
}

extension Duration {
    /// Whole nanoseconds, for durations that settings hold.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds)) / 1_000_000_000
    }

    var milliseconds: Int64 { Int64(nanoseconds / 1_000_000) }
}
