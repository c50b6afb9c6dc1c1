package import Rights

extension Right {
    /// Reading what agents and people wrote.
    package static let threadsRead: Right = "threads.read"
    /// Telling agents what to do.
    package static let threadsWrite: Right = "threads.write"
}

extension RightDeclaration {
    package static let threadsRead = RightDeclaration(
        .threadsRead,
        "read all conversations with coding agents on this computer, with the code and the output of commands in them",
        risk: .mutating,
        weight: 55,
        group: "threads",
        onlyLooks: true,
        // Conversations hold code and what commands printed: no relay reads them.
        needsDirectWay: true,
        tokens: .initial
    )

    package static let threadsWrite = RightDeclaration(
        .threadsWrite,
        "tell coding agents what to do here, in any folder without its trust being asked for, and allow what they ask for: as much as a terminal",
        risk: .privileged,
        weight: 85,
        group: "threads",
        tokens: .onRequest
    )
}
