/// What the computer says it is; nil where it says nothing.
public struct HardwareFacts: Hashable, Sendable {
    public var manufacturer: String?
    public var model: String?
    public var board: String?
    public var firmware: String?

    public init(manufacturer: String?, model: String?, board: String?, firmware: String?) {
        self.manufacturer = manufacturer
        self.model = model
        self.board = board
        self.firmware = firmware
    }
}
