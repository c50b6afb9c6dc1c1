/// How a phone's program starts itself again. A phone inside an app, beside other roles or in a test has none: its owner starts it.
package struct StartAgain: Sendable {
    /// From the person's word to the end of the program: whoever gave it hears the answer, and whoever looks sees what comes.
    let delay: Duration
    /// Ends the program in order, and starts it again.
    let ask: @Sendable () -> Void

    package init(after delay: Duration = .seconds(2), ask: @escaping @Sendable () -> Void) {
        self.delay = delay
        self.ask = ask
    }
}
