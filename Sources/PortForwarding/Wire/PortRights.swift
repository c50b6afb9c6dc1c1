package import Commands
package import Rights

extension Right {
    /// The right to open the ports of this computer that its owner lists for the phone.
    package static let portsOpen: Right = "ports.open"
}

extension RightDeclaration {
    /// Opens nothing by itself: which ports it opens, the owner lists beside it.
    package static let portsOpen = RightDeclaration(
        .portsOpen,
        "open the ports of programs on this computer that you list for it, such as a development server",
        risk: .privileged,
        weight: 65
    )
}

extension EventKind {
    /// The ports that this phone may open are others now.
    package static let portsChanged = EventKind("ports.changed", needs: .portsOpen)
}
