import Blobs
package import Chat

/// A voice note's file: what its container says of it, read just far enough to know that it is sound alone and how long it is.
///
/// Read are the containers that recorders write: Opus in Ogg (Firefox, `opusenc`) and in WebM (Chromium), AAC or Opus in MP4 (Safari, phones), and
/// PCM in WAV. The sound itself is not decoded.
package struct VoiceRecording: Hashable, Sendable {
    package enum Container: String, Hashable, Sendable, CaseIterable {
        case ogg, webm, m4a, wav
    }

    /// Recorders stop a little late: so much more than ``ChatLimits/voiceSeconds`` is taken.
    package static let slack = Duration.milliseconds(900)

    package let container: Container
    /// Above zero.
    package let duration: Duration

    /// Whole seconds as people are shown them, 1 to ``ChatLimits/voiceSeconds``.
    package var seconds: Int { min(max(1, Int((duration / .seconds(1)).rounded())), ChatLimits.voiceSeconds) }

    /// - Throws: ``ChatError/notARecording``, ``ChatError/recordingTooLong``; ``ChatError/tooLong(_:limit:)`` for more than 5 MB.
    package init(_ bytes: [UInt8]) throws(ChatError) {
        guard bytes.count <= UploadKind.voice.limit else { throw .tooLong("file", limit: UploadKind.voice.limit) }
        let found: (Container, Duration?)
        switch MediaType(sniffing: bytes) {
        case .ogg: found = (.ogg, OggOpus.duration(of: bytes))
        case .webm: found = (.webm, WebMSound.duration(of: bytes))
        case .m4a, .mp4: found = (.m4a, MP4Sound.duration(of: bytes))
        case .wav: found = (.wav, WaveSound.duration(of: bytes))
        default: throw .notARecording
        }
        guard let duration = found.1, duration > .zero else { throw .notARecording }
        guard duration <= .seconds(ChatLimits.voiceSeconds) + Self.slack else { throw .recordingTooLong }
        (container, self.duration) = (found.0, duration)
    }
}
