import Bridge
import Kernel

extension FuzzTarget {
    /// A frame of the bridge at either end: what is read of it can be written, and is then read as the same.
    static let bridgeMessage = FuzzTarget(name: "bridge-message") { bytes in
        if let hello = BridgeHello(bytes), BridgeHello(hello.bytes) != hello { finding("a Hello that changes") }
        _ = BridgeHelloAck(bytes, answering: "T")
        if let text = String(validating: bytes, as: UTF8.self), let code = BridgeCode(text: text),
            let again = BridgeCode(text: code.text), again != code
        {
            finding("a code that changes")
        }
        guard let message = BridgeMessage(bytes) else { return }
        guard let again = BridgeMessage(message.bytes), again == message else { finding("a message that changes") }
        guard case .envelope(let type, let data) = message else { return }
        if let request = BridgeRequest(type: type, data: data) {
            guard request.params.objectValue != nil else { finding("parameters that are no object") }
            guard case .envelope(let type, let data) = request.message, BridgeRequest(type: type, data: data) == request
            else {
                finding("a request that changes")
            }
        }
        if let response = BridgeResponse(type: type, data: data), case .success(let answer) = response.outcome {
            guard BridgeThreads.threads(in: answer).count <= BridgeThreads.largestCount else {
                finding("too many threads")
            }
        }
    }
}
