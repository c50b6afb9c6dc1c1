public import Rights

extension Right {
    public static let systemInformation: Right = "system.info"
    public static let systemLogs: Right = "system.logs"
}

extension RightDeclaration {
    public static let systemInformation = RightDeclaration(
        .systemInformation,
        "see what this computer is and how busy it is",
        risk: .safe,
        weight: 10,
        isInitial: true,
        namespaces: ["sysinfo"]
    )

    public static let systemLogs = RightDeclaration(
        .systemLogs,
        "read this computer's logs, which can hold private things",
        risk: .privileged,
        weight: 80,
        group: "system"
    )
}
