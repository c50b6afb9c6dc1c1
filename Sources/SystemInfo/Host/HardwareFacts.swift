/// What the computer says it is; nil where it says nothing.
package struct HardwareFacts: Hashable, Sendable {
    package var manufacturer: String?
    package var model: String?
    package var board: String?
    package var firmware: String?

    package init(manufacturer: String?, model: String?, board: String?, firmware: String?) {
        self.manufacturer = manufacturer
        self.model = model
        self.board = board
        self.firmware = firmware
    }
}
