public import Rights

extension Right {
    /// On the wire `power`: locking the session and putting the computer to sleep.
    public static let power: Right = "power"
    /// On the wire `power.wake`: having this computer send magic packets into its network.
    public static let powerWake: Right = "power.wake"
}

extension RightDeclaration {
    /// Given by the person alone.
    public static let power = RightDeclaration(
        .power,
        "lock this computer's screen and put it to sleep, which ends its connections",
        risk: .mutating,
        weight: 35,
        needsDirectWay: true
    )

    /// A right of its own: what it does happens to other computers in the network.
    public static let powerWake = RightDeclaration(
        .powerWake,
        "have this computer send packets that wake other computers in its network",
        risk: .mutating,
        weight: 30,
        needsDirectWay: true
    )
}
