public import Rights

extension Right {
    /// On the wire `system.info`.
    public static let systemInformation: Right = "system.info"
    /// On the wire `system.logs`, in the group `system`.
    public static let systemLogs: Right = "system.logs"
}

extension RightDeclaration {
    /// Every paired phone has it until the person takes it away: nothing it opens changes the computer.
    public static let systemInformation = RightDeclaration(
        .systemInformation,
        "see what this computer is and how busy it is",
        risk: .safe,
        weight: 10,
        isInitial: true,
        onlyLooks: true,
        namespaces: ["sysinfo"]
    )

    /// Given by the person alone.
    public static let systemLogs = RightDeclaration(
        .systemLogs,
        "read this computer's logs, which can hold private things",
        risk: .privileged,
        weight: 80,
        group: "system"
    )
}
