import Chat
import ChatClient
import Kernel

extension FuzzTarget {
    /// What people send each other, from a peer or a server: what is read of it can be written, and is then read as the same.
    static let chatMessage = FuzzTarget(name: "chat-message") { bytes in
        guard let frame = try? SyncFrame(text: bytes) else { return }
        let (data, wire) =
            switch frame {
            case .request(let request): (request.data, request.wire)
            case .response(let response): (response.data, response.wire)
            }
        guard let again = try? SyncFrame(text: wire.canonicalBytes), again == frame else {
            finding("a frame that changes")
        }
        if let message = try? MessageData(wire: data) {
            guard (try? MessageData(wire: message.wire)) == message else { finding("a message that changes") }
            _ = RevokeNotice(element: message.element)
            _ = ReadReceipt(element: message.element)
        }
        guard let request = try? SendMessage(wire: data) else { return }
        guard (try? SendMessage(wire: request.wire)) == request else { finding("a request that changes") }
        // What passed every check also fits into what carries it.
        guard (try? request.payload.check()) != nil else { return }
        guard request.payload.element.canonicalBytes.count <= ChatLimits.sealedContent else {
            finding("too much content")
        }
    }

    /// The container of a voice note, from a person or a browser: what is taken has a length within the bounds.
    static let voiceRecording = FuzzTarget(name: "voice-recording") { bytes in
        guard let recording = try? VoiceRecording(bytes) else { return }
        let limit = Duration.seconds(ChatLimits.voiceSeconds) + VoiceRecording.slack
        guard recording.duration > .zero, recording.duration <= limit else { finding("a recording of no length") }
        guard (1...ChatLimits.voiceSeconds).contains(recording.seconds) else { finding("seconds out of their bounds") }
    }
}
