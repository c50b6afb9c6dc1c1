import Kernel

/// What has to be looked after when something was blanked or an account is deleted.
final class ChatCare: Sendable {
    /// Counts contents that were blanked.
    let blankings = LatestValue(0)
    /// Counts accounts whose deletion began.
    let deletions = LatestValue(0)

    func look(at news: LogNews) {
        let isBlanked = news.pushes.contains { push in
            switch push.change {
            case .recalled, .destroyed, .settings, .hidden: true
            default: false
            }
        }
        if isBlanked || !news.releasedObjects.isEmpty { blankings.update { $0 += 1 } }
    }
}
