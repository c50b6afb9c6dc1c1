import Kernel

/// Offers, answers, candidates and bare pairing frames: rare, so they are taken apart member by member.
extension RelayConnection {
    func routeSignal(_ type: SignalType, _ bytes: UnsafeRawBufferPointer, _ frame: ScannedFrame) {
        let members: [FrameMember]
        do throws(FrameScanError) {
            members = try FrameScanner.members(bytes)
        } catch {
            return answer(error: "Invalid message format")
        }
        let missing =
            relay.dialect == .embedded ? "Missing \"to\" field in \(type.rawValue)" : "Missing \"to\" field"
        guard let recipient = recipient(bytes, frame.to, missing: missing), let to = frame.to else { return }
        let content = SignalContent(bytes: bytes, members: members)
        if type == .iceCandidates, relay.dialect == .embedded, content["candidates"]?.first != UInt8(ascii: "[") {
            return answer(error: "Invalid candidates array in ice-candidates")
        }
        guard maySend() else { return }
        let forwarded =
            switch relay.dialect {
            case .embedded: rebuilt(type, content)
            case .standalone: verbatim(content)
            }
        let id = content.value("id").map { Array(bytes[$0]) }
        forward(forwarded, to: recipient, token: Array(bytes[to]), notice: .signal(type, id: id))
        loop.countForwarded(forwarded.count)
    }

    /// A signal as the embedded server writes it: known members, the sender, the time.
    private func rebuilt(_ type: SignalType, _ content: SignalContent) -> [UInt8] {
        var frame: FrameText
        switch type {
        case .offer, .answer:
            frame = FrameText(type: type.rawValue)
            addSender(content, to: &frame)
            // Both spellings of the description are around, so both are sent.
            if let description = content.truthy(type.rawValue) ?? content.truthy("sdp") {
                frame.add(type.rawValue, raw: description)
                frame.add("sdp", raw: description)
            }
            if type == .offer { frame.add("iceRestart", raw: content.truthy("iceRestart") ?? Self.no) }
        case .iceCandidate, .iceCandidates:
            frame = FrameText(type: type.rawValue)
            addSender(content, to: &frame)
            let key = type == .iceCandidate ? "candidate" : "candidates"
            if let value = content[key] { frame.add(key, raw: value) }
        case .pairingRequest, .pairingConfirmation, .pairingReject:
            frame = FrameText()
            content.copy(except: ["from", "timestamp"], to: &frame)
            addSender(content, to: &frame)
        }
        frame.add("timestamp", number: loop.milliseconds)
        return frame.finished()
    }

    private static let no = Array("false".utf8)

    /// A signal as the standalone server passes it on. The sender is ours to say; only an open server believes a client's.
    private func verbatim(_ content: SignalContent) -> [UInt8] {
        var frame = FrameText()
        if relay.isOpen, content.value("from") != nil {
            content.copy(except: [], to: &frame)
        } else {
            content.copy(except: ["from"], to: &frame)
            addSender(content, to: &frame)
        }
        return frame.finished()
    }

    private func addSender(_ content: SignalContent, to frame: inout FrameText) {
        if let sender {
            frame.add("from", raw: sender.token)
        } else if let claimed = content["from"] {
            // Only an open server comes here: it forwards for those who did not register.
            frame.add("from", raw: claimed)
        }
    }
}

/// A frame's members, by name.
struct SignalContent {
    let bytes: UnsafeRawBufferPointer
    let members: [FrameMember]

    func range(_ key: String) -> Range<Int>? { members.first { $0.key == key }?.valueRange }

    subscript(_ key: String) -> [UInt8]? { range(key).map { Array(bytes[$0]) } }

    /// Nil also for what JavaScript takes for false.
    func value(_ key: String) -> Range<Int>? {
        range(key).flatMap { JSONText.isTruthy(bytes, $0) ? $0 : nil }
    }

    func truthy(_ key: String) -> [UInt8]? { value(key).map { Array(bytes[$0]) } }

    func text(_ key: String) -> String? { range(key).flatMap { JSONText.string(bytes, $0) } }

    func copy(except skipped: Set<String>, to frame: inout FrameText) {
        for member in members where !skipped.contains(member.key) {
            frame.add(rawKey: bytes[member.keyRange], raw: bytes[member.valueRange])
        }
    }
}
