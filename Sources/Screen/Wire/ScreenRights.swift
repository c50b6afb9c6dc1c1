package import Rights

extension Right {
    package static let display: Right = "display"
}

extension RightDeclaration {
    package static let display = RightDeclaration(
        .display,
        "take pictures of everything on your screen",
        risk: .mutating,
        weight: 50,
        onlyLooks: true,
        namespaces: ["display", "screen"]
    )
}
