import Control
import Kernel

/// Topics that a hub tells by itself to a page that shows how it is doing.
struct HubTopics: Sendable {
    private static let interval = Duration.seconds(1)

    let makeMeter: @Sendable () -> HubMeter
    let time: any TimeSource

    var all: [ControlTopic] {
        [
            ControlTopic("load") { [makeMeter, time] tell in
                let meter = makeMeter()
                // Cancelled when no page listens any more.
                repeat {
                    if let sample = try? await meter.sample(), let data = try? JSONValue(encoding: sample) {
                        tell(data)
                    }
                } while await time.pause(for: Self.interval)
            }
        ]
    }
}
