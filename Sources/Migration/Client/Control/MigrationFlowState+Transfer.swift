import MigrationTransfer

extension MigrationFlowState {
    /// Takes over what a transfer shows of itself.
    mutating func take(_ transfer: MigrationTransferState) {
        isLinked = transfer.isLinked
        peer = transfer.peerName ?? peer
        pausedHere = transfer.hold.own
        pausedThere = transfer.hold.peer
        // What is wrong with the person's own answer stands until the next one.
        if step != .agreeing { trouble = transfer.trouble.map { .init($0) } }
        fraction = transfer.progress.fraction
        doneBytes = transfer.progress.doneBytes
        totalBytes = transfer.progress.totalBytes
        timeLeft = transfer.progress.timeLeft?.components.seconds
        if let next = Self.step(transfer.step, role), !isAsking(besides: transfer.step) { step = next }
        // Once a peer is proved, what was shown for it no longer works.
        if isLinked || peer != nil { (pin, code, addresses) = (nil, nil, []) }
    }

    /// A question to the person stands until it is answered, whatever the links do meanwhile.
    private func isAsking(besides transfer: MigrationTransferState.Step) -> Bool {
        switch (step, transfer) {
        case (.entering, .connecting), (.agreeing, .deciding), (.agreeing, .restoring), (.ready, .restoring): true
        default: false
        }
    }

    private static func step(_ step: MigrationTransferState.Step, _ role: Role?) -> Step? {
        switch step {
        case .connecting: role == .newPhone ? .showing : .connecting
        case .preparing: .preparing
        // The new phone's person is asked once there is space for the package and the question can be answered.
        case .deciding: role == .newPhone ? .preparing : .agreeing
        case .transferring: role == .newPhone ? .receiving : .sending
        case .restoring: .restoring
        case .ended: nil
        }
    }
}
