/// Nobody floods: what the other figures are compared with.
final class Calm: Flood {
    let unit = "nothing"
    let done = 0

    func advance(_ crowd: Crowd, by budget: Int) {}
    func react(_ crowd: Crowd, _ stranger: Stranger, _ event: Stranger.Event) {}
}
