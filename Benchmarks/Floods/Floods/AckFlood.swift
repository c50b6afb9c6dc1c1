import Foundation
import Kernel

/// Wrong pairing frames to a computer that shows a code: acks for other codes and for this one, with seals that open with nothing, and
/// frames that are no acks at all.
final class AckFlood: Flood {
    private static let sockets = 16
    private static let perSocket = 200
    let unit = "frames"
    private(set) var done = 0
    private let household: Household
    private let code: String
    private let digits: String

    /// - Throws: ``FloodError`` unless the computer shows a code.
    init(_ household: Household) throws {
        self.household = household
        code = try household.showCode()
        digits = try JSONValue(parsing: code.utf8)["code"]?.stringValue ?? ""
    }

    func advance(_ crowd: Crowd, by budget: Int) throws {
        var left = budget
        while left > 0, crowd.count < Self.sockets, try crowd.open() != nil { left -= 1 }
        crowd.forEach { stranger in
            guard stranger.count > 0, !stranger.owes, left > 0 else { return }
            let share = min(8, left)
            for _ in 0..<share {
                stranger.send(WireFrame.text(frame(from: stranger)))
                stranger.tag += 1
            }
            done += share
            left -= share
            crowd.flush(stranger)
            if stranger.tag >= Self.perSocket, !stranger.owes { crowd.close(stranger) }
        }
    }

    private func frame(from stranger: Stranger) -> String {
        let number = done + stranger.tag
        // The digits stand on a screen: somebody may have read them, and not the rest.
        let code = number.isMultiple(of: 10) ? digits : String(Int.random(in: 100_000...999_999))
        let device = #""deviceInfo":{"deviceId":"stranger","name":"Stranger","platform":"ios"}"#
        let start = #"{"type":"pair-ack","pairingCode":"\#(code)","mobileDid":"\#(id(stranger))",\#(device)"#
        let seal = String(repeating: "A", count: 200)
        let payload =
            switch number % 5 {
            case 0: #"\#(start),"timestamp":1,"e2e":{"v":1,"hs":"\#(seal)"}}"#
            case 1: #"\#(start),"timestamp":1,"e2e":{"v":1,"cp":{"n":"AAAAAAAAAAAAAAAAAAAAAA","digits":10}}}"#
            case 2: #"\#(start),"timestamp":1}"#
            case 3: #"{"type":"pair-ack","pairingCode":\#(code),"mobileDid":[],"deviceInfo":7}"#
            default: #"{"type":"pairing:e2e","pairingCode":"\#(code)","e2e":{"v":1,"cp":{"c":7}}}"#
            }
        return #"{"type":"message","to":"\#(household.computerID)","payload":\#(payload)}"#
    }

    private func id(_ stranger: Stranger) -> String { "did:web:stranger-\(stranger.number).example" }

    func react(_ crowd: Crowd, _ stranger: Stranger, _ event: Stranger.Event) {
        switch event {
        case .opened:
            stranger.send(WireFrame.text(#"{"type":"register","peerId":"\#(id(stranger))","deviceType":"mobile"}"#))
            crowd.flush(stranger)
        case .message: stranger.count += 1
        case .closed, .answered: crowd.close(stranger)
        }
    }

    func figures(from crowd: Crowd, seconds: Double) -> [Figure] {
        do {
            try household.scan(code)
            return [Figure("code spoilt", 0, atMost: 0)]
        } catch {
            return [Figure("code spoilt", 1, atMost: 0, detail: "\(error)")]
        }
    }
}
