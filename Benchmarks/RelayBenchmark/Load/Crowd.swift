/// Registered clients of one server: number 2n sends to number 2n + 1.
enum Crowd {
    /// As long as a `did:key` of an Ed25519 key.
    static func id(_ number: Int, of crowd: String) -> String {
        let start = "did:key:z6Mk\(crowd)\(number)"
        return start + String(repeating: "x", count: 56 - start.utf8.count)
    }

    /// A `message` frame of that many bytes, before masking.
    static func message(to id: String, bytes: Int) -> String {
        let start = #"{"type":"message","to":"\#(id)","payload":{"type":"benchmark","text":""#
        let filler = bytes - start.utf8.count - 3
        let words = String(repeating: "the quick brown fox jumps over the lazy dog ", count: filler / 44 + 1)
        return start + words.prefix(filler) + #""}}"#
    }

    /// Opens pairs in groups, so that neither side waits for each other's every step.
    ///
    /// - Parameters:
    ///   - crowd: Tells the ids of one call from those of another.
    ///   - window: How many frames a sender sends in one call.
    ///   - readerBytes: The kernel's buffer of each reader; nil for its default.
    static func open(
        pairs: Int,
        named crowd: String,
        port: UInt16,
        frameBytes: Int,
        window: Int,
        readerBytes: Int32? = nil
    ) throws -> [Client] {
        var clients: [Client] = []
        clients.reserveCapacity(pairs * 2)
        for start in stride(from: 0, to: pairs * 2, by: 100) {
            let numbers = start..<min(start + 100, pairs * 2)
            let group = try numbers.map { number in
                guard number.isMultiple(of: 2) else { return try Client(port: port, receiveBytes: readerBytes) }
                let text = message(to: id(number + 1, of: crowd), bytes: frameBytes)
                return try Client(port: port, frame: ClientFrame.text(text), atOnce: window)
            }
            for client in group { try client.askForWebSocket(port: port) }
            for client in group { try client.readUpgrade() }
            for (client, number) in zip(group, numbers) { try client.register(as: id(number, of: crowd)) }
            for client in group { try client.readRegistered() }
            clients += group
        }
        return clients
    }

    /// Sends one frame from each sender and looks at what arrives: fast and wrong is not fast.
    static func check(_ clients: [Client], named crowd: String, frameBytes: Int) throws {
        for number in stride(from: 0, to: clients.count, by: 2) {
            try clients[number].send(frames: 1)
            while clients[number].owed > 0 { try clients[number].flush() }
            let frame = try clients[number + 1].readText()
            let message = message(to: id(number + 1, of: crowd), bytes: frameBytes)
            guard let payload = message.firstRange(of: #""payload":"#).map({ message[$0.lowerBound...].dropLast() }),
                frame.contains(payload), frame.contains(#""from":"\#(id(number, of: crowd))""#),
                frame.contains(#""timestamp":"#)
            else { throw BenchmarkError.wrongForward(frame: String(frame.prefix(400))) }
        }
    }
}
