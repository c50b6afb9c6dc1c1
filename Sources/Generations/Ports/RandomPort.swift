/// Random bytes that nobody can guess.
package protocol RandomPort: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

/// The system's random bytes.
package struct SystemRandom: RandomPort {
    package init() {}

    package func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
