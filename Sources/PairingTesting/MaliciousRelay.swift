import Foundation
import Kernel
import KernelTesting
import Pairing
import Sealing

/// One pairing over a hostile relay that reads, drops, repeats, reorders, reflects, changes and forges messages. It uses no
/// tasks, clocks or sockets, so that a hundred thousand of them are cheap.
package struct MaliciousRelay {
    package enum Way: String, CaseIterable, Sendable {
        case scan, show, tenDigits, sixDigits
    }

    struct Frame {
        var from: String?
        var to: String
        var payload: JSONValue
    }

    struct Outcome {
        var desktop: PairedDesktop?
        var phone: PairedPhone?
        /// Whether the two numbers of a six-digit pairing were equal by chance, which happens once in a million.
        var wasLucky = false
    }

    private enum PhoneSide {
        case active(any PhoneExchange)
        case showing(ShownDeviceExchange)
        case over
    }

    static let desktopID = "9f0c6a1be2d34775a1c0ffee00d15ea5"
    private static let start = Date(timeIntervalSince1970: 1_790_000_000)

    let way: Way
    let phone: OwnDevice
    let attacker: OwnDevice
    let isHonest: Bool
    private var generator: SeededGenerator
    private var now = MaliciousRelay.start
    private var ticks: UInt64 { UInt64(now.millisecondsSince1970) * 1_000_000 }
    private var host: DesktopPairing
    private var side: PhoneSide = .over
    private var flying: [Frame] = []
    private var seen: [Frame] = []
    private var outcome = Outcome()
    private var scanPayload: JSONValue?
    /// The attacker in the phone's place. It types a code of its own: a wrong one of ten digits, or the six digits read off the wire.
    private var intruder: TypedCodeExchange?
    /// The attacker in the computer's place, with a code that it knows or guesses.
    private var impostor: DesktopPairing?

    init(way: Way, phone: OwnDevice, desktop: OwnDevice, attacker: OwnDevice, isHonest: Bool, seed: UInt64) throws {
        self.way = way
        self.phone = phone
        self.attacker = attacker
        self.isHonest = isHonest
        generator = SeededGenerator(seed: seed)
        host = DesktopPairing(own: desktop, now: now)
        let options = Self.options(of: way)
        switch way {
        case .show:
            let code = PairingCode.random(using: &generator)
            let exchange = try ShownDeviceExchange(code: code, own: phone, allowsDocumentedPeers: false, now: now)
            let qr = try DevicePairingQR(scanned: exchange.qr.text, now: now)
            scanPayload = try host.openScan(of: qr, options: PairingOptions(), known: [], now: now)
            side = .showing(exchange)
        case .scan, .tenDigits, .sixDigits:
            let shown = try host.makeCode(options: options, addresses: .init(), now: now)
            side = .active(try exchange(for: shown))
            if !isHonest, let typed = shown.typed { try admitAttacker(typed) }
        }
    }

    private static func options(of way: Way) -> PairingOptions {
        PairingOptions(digits: way == .sixDigits ? .six : .ten)
    }

    private func exchange(for shown: ShownPairingCode) throws -> any PhoneExchange {
        if way == .scan {
            return try ScannedDesktopExchange(
                qr: DesktopPairingQR(scanned: shown.qrText, now: now),
                own: phone,
                now: now
            )
        }
        let digits = shown.typed.map { way == .sixDigits ? $0.code.digits : $0.digits } ?? ""
        return try TypedCodeExchange(code: TypedCode(digits), own: phone, allowsDocumentedPeers: false, now: now)
    }

    private mutating func admitAttacker(_ typed: TypedCode) throws {
        guard way != .scan, Int.random(in: 0..<3, using: &generator) == 0 else { return }
        let wrong = typed.digits.hasSuffix("0000") ? "0001" : "0000"
        let guess = way == .sixDigits ? typed.code.digits : typed.code.digits + wrong
        intruder = try TypedCodeExchange(
            code: TypedCode(guess),
            own: attacker,
            allowsDocumentedPeers: false,
            now: now
        )
        var impostor = DesktopPairing(
            own: OwnDevice(identity: attacker.identity, deviceID: Self.desktopID, info: attacker.info),
            now: now
        )
        _ = try impostor.makeCode(
            TypedCode(code: typed.code, secretDigits: wrong),
            options: Self.options(of: way),
            addresses: .init(),
            now: now
        )
        self.impostor = impostor
    }

    /// Runs the pairing in three rounds, 15 seconds apart, in each of which both sides repeat their messages.
    mutating func run() throws -> Outcome {
        for _ in 0..<3 {
            sendAgain()
            var steps = 0
            while !flying.isEmpty, steps < 40 {
                steps += 1
                try step()
            }
            now = now.addingTimeInterval(15)
        }
        if case .active = side { side = .over }
        return outcome
    }

    /// Sends the messages that both sides repeat after waiting for long enough.
    private mutating func sendAgain() {
        switch side {
        case .active(let exchange):
            if let payload = exchange.outgoing { send(payload, from: phone.identity.did.text, to: exchange.recipient) }
        case .showing:
            if let scanPayload { send(scanPayload, from: Self.desktopID, to: phone.identity.did.text) }
        case .over: break
        }
        if let payload = intruder?.outgoing {
            flying.append(Frame(from: attacker.identity.did.text, to: Self.desktopID, payload: payload))
        }
    }

    private mutating func send(_ payload: JSONValue, from sender: String, to recipient: String) {
        let frame = Frame(from: sender, to: recipient, payload: payload)
        seen.append(frame)
        flying.append(frame)
    }

    private mutating func step() throws {
        guard !isHonest else { return try deliver(flying.removeFirst()) }
        let index = Int.random(in: 0..<flying.count, using: &generator)
        var frame = flying.remove(at: Bool.random(using: &generator) ? 0 : index)
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: return  // dropped
        case 1: flying.append(frame)  // twice, and later
        case 2: frame.to = frame.from ?? frame.to  // reflected
        case 3: if let old = seen.randomElement(using: &generator) { frame = old }  // replayed
        case 4...8: frame.payload = RelayTampering.change(frame.payload, for: attacker, using: &generator)
        case 9: frame.payload = RelayTampering.forgery(answering: frame.payload, for: attacker, using: &generator)
        case 10: frame.from = attacker.identity.did.text
        case 11 where impostor != nil: return try meetImpostor(frame)
        default: break
        }
        try deliver(frame)
    }

    private mutating func deliver(_ frame: Frame) throws {
        guard let message = try? PairingMessage(parsing: frame.payload) else { return }
        if frame.to == Self.desktopID || frame.to.hasPrefix("pairing-code:") {
            try perform(
                host.receive(message, payload: frame.payload, from: frame.from, known: known, now: now, ticks: ticks)
            )
        } else if frame.to == phone.identity.did.text {
            try receiveOnPhone(message, frame)
        } else if frame.to == attacker.identity.did.text, var exchange = intruder {
            let step = exchange.receive(message, from: frame.from, now: now)
            intruder = exchange
            if case .send = step, let payload = exchange.outgoing {
                flying.append(Frame(from: attacker.identity.did.text, to: Self.desktopID, payload: payload))
            }
        }
    }

    private var known: [PairedPhone] { outcome.phone.map { [$0] } ?? [] }

    private mutating func receiveOnPhone(_ message: PairingMessage, _ frame: Frame) throws {
        switch side {
        case .active(var exchange):
            let step = exchange.receive(message, from: frame.from, now: now)
            side = .active(exchange)
            switch step {
            case .ignored: break
            case .send:
                if let payload = exchange.outgoing {
                    send(payload, from: phone.identity.did.text, to: exchange.recipient)
                }
            case .paired(let desktop):
                outcome.desktop = desktop
                side = .over
            case .failed: side = .over
            }
        case .showing(var exchange):
            let step = exchange.receive(message, payload: frame.payload, from: frame.from, now: now)
            switch step {
            case .ignored: break
            case .send(let payload, let recipient): send(payload, from: phone.identity.did.text, to: recipient)
            case .decide(let desktop):
                outcome.desktop = desktop
                if let answer = try exchange.accept(now: now) {
                    send(answer.reply, from: phone.identity.did.text, to: answer.recipient)
                }
            case .failed:
                side = .over
                return
            }
            side = .showing(exchange)
        case .over: break
        }
    }

    private mutating func perform(_ effects: [DesktopPairing.Effect]) throws {
        for effect in effects {
            switch effect {
            case .send(let payload, let recipient): send(payload, from: Self.desktopID, to: recipient)
            case .changed: break
            case .requested(let request): try decide(request)
            case .drop(let request):
                if outcome.phone?.did == request.did { outcome.phone = nil }
            case .scanEnded(_, let result):
                if case .success(let record) = result { outcome.phone = record }
            }
        }
    }

    /// Decides like a person who accepts every request, but compares the numbers when there are two.
    private mutating func decide(_ request: PairingRequest) throws {
        if let number = request.comparisonNumber {
            var shown: String?
            if case .active(let exchange) = side { shown = exchange.comparisonNumber }
            guard shown == number else {
                return try perform(host.numbersDiffered(request.id, now: now))
            }
            outcome.wasLucky = request.did != phone.identity.did
        }
        let record = try host.accept(request.id, comparison: .same, now: now)
        outcome.phone = record
        try perform(host.completed(request.id, as: record, now: now))
    }

    /// Has the attacker answer the phone in place of the computer, which never gets the frame.
    private mutating func meetImpostor(_ frame: Frame) throws {
        guard var host = impostor, frame.from == phone.identity.did.text,
            let message = try? PairingMessage(parsing: frame.payload)
        else { return }
        var effects = host.receive(message, payload: frame.payload, from: frame.from, known: [], now: now, ticks: ticks)
        if case .requested(let request)? = effects.last {
            let record = try host.accept(request.id, comparison: .same, now: now)
            effects = host.completed(request.id, as: record, now: now)
        }
        impostor = host
        for case .send(let payload, let recipient) in effects {
            flying.append(Frame(from: Self.desktopID, to: recipient, payload: payload))
        }
    }
}
