public import Rights

extension Right {
    public static let display: Right = "display"
}

extension RightDeclaration {
    public static let display = RightDeclaration(
        .display,
        "take pictures of everything on your screen",
        risk: .mutating,
        weight: 50,
        namespaces: ["display", "screen"]
    )
}
