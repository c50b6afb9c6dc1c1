import Kernel

/// What has to be looked after when something was blanked or an account is deleted.
final class ChatCare: Sendable {
    /// Counts commits that blanked messages. Drafts, which change all the time, wait for the sweep of the minute.
    let blankings = LatestValue(0)
    /// Counts accounts whose deletion began.
    let deletions = LatestValue(0)

    func look(at news: LogNews) {
        let isBlanked = news.pushes.contains { push in
            switch push.change {
            case .recalled, .destroyed: true
            default: false
            }
        }
        if isBlanked || !news.releasedObjects.isEmpty { blankings.update { $0 += 1 } }
    }
}
