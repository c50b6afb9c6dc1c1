import Foundation

/// One parser, fed with anything. A crash is a finding, and so is a broken promise: ``finding(_:)``.
struct FuzzTarget: Sendable {
    let name: String
    let run: @Sendable ([UInt8]) -> Void

    static let all: [FuzzTarget] = [
        .frameScanner, .jsonValue, .webSocketReader, .handshake, .signalFrames, .binaryFrames, .noiseHandshake,
        .identityProof,
        .sealedRecord,
        .sessionEngine, .pairingQR, .pairingMessages, .typedCode, .commandEnvelope, .streamMessages, .historyItems,
        .historyFile, .agentLines, .bridgeMessage, .pushSubscription, .retryAfter, .requestGuard,
        .notifications, .notificationMarkup, .notificationPicture, .byteRange, .chatMessage, .accountWire, .formBody,
        .mediaFile, .blobKey, .voiceRecording, .accountChain, .keyBundle, .sealedMessage, .sealedMedia, .handover,
        .archiveReader, .packageOpener, .packageEntries,
        .migrationFrames, .migrationCode, .transferJournal,
        .bulkGreeting, .bulkRecords, .clientHello, .acmeAnswers,
        .portFrames, .portStream, .inputBatch,
    ]

    /// Stops the fuzzer at an input that breaks what the parser promises.
    static func finding(_ what: String) -> Never {
        FileHandle.standardError.write(Data("finding: \(what)\n".utf8))
        abort()
    }
}
