import CommandClient
import Commands
import Foundation
import Kernel
import Pairing
import Signaling

extension FuzzTarget {
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    static let signalFrames = FuzzTarget(name: "signal-frames") { bytes in
        guard let frame = try? JSONValue(parsing: bytes) else { return }
        _ = SignalServerFrame(frame)
        _ = SignalClientFrame(frame)
    }

    static let binaryFrames = FuzzTarget(name: "binary-frames") { bytes in
        _ = SignalBinaryFrame(bytes)
    }

    static let pairingQR = FuzzTarget(name: "pairing-qr") { bytes in
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        _ = try? DesktopPairingQR(scanned: text(bytes), now: now)
        _ = try? DevicePairingQR(scanned: text(bytes), now: now)
        _ = try? DesktopPairingQR(scanned: "https://h/phone/#" + Base64URL.encode(bytes), now: now)
    }

    static let pairingMessages = FuzzTarget(name: "pairing-messages") { bytes in
        guard let payload = try? JSONValue(parsing: bytes) else { return }
        _ = try? PairingMessage(parsing: payload)
    }

    /// What is accepted as a code is digits, however it was typed.
    static let typedCode = FuzzTarget(name: "typed-code") { bytes in
        guard let code = try? TypedCode(text(bytes)) else { return }
        guard [6, 10].contains(code.digits.utf8.count), code.digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            finding("a typed code with something else than digits")
        }
    }

    static let commandEnvelope = FuzzTarget(name: "command-envelope") { bytes in
        guard let envelope = try? JSONValue(parsing: bytes) else { return }
        if let request = try? CommandRequest(envelope: envelope) {
            guard !request.id.isEmpty, request.id.utf8.count <= CommandRequest.idLimit else {
                finding("an id out of bounds")
            }
        }
        _ = RemoteEvent(envelope: envelope)
        _ = try? CommandCancel(envelope: envelope)
        if let response = try? CommandResponse(envelope: envelope), case .success(let result) = response.outcome {
            _ = RemoteStreamAnnouncement(result: result)
        }
    }

    /// A text of JSON messages, one a line, as the pieces of one result: it is whole, or there is none.
    static let streamMessages = FuzzTarget(name: "stream-messages") { bytes in
        guard let announcement = RemoteStreamAnnouncement(id: "s", byteCount: 2000, chunkSize: 1024),
            var receiver = try? RemoteStreamReceiver(announcement)
        else { finding("an announcement that is refused") }
        var count = 0
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let envelope = try? JSONValue(parsing: line),
                let message = RemoteStreamMessage(envelope: envelope)
            else { continue }
            if case .chunk(_, _, let piece) = message { count += piece.count }
            guard let result = try? receiver.take(message) else { continue }
            guard count >= announcement.byteCount, case .end = message else { finding("\(result) out of too little") }
        }
    }
}
