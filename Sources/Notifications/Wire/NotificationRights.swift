package import Rights

extension Right {
    /// Pressing the buttons of what a computer shows, and answering there.
    package static let notificationAct: Right = "notification.act"
}

extension RightDeclaration {
    package static let notificationAct = RightDeclaration(
        .notificationAct,
        "press the buttons of notifications on this computer, and answer them in your name",
        risk: .mutating,
        weight: 52,
        needsDirectWay: true
    )
}
