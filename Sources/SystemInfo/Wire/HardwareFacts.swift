/// What the computer says it is; nil where it says nothing.
public struct HardwareFacts: Hashable, Sendable {
    /// Who built the machine, from its firmware (DMI).
    public var manufacturer: String?
    /// The machine's product name, for example `ThinkPad X1 Carbon Gen 9`.
    public var model: String?
    /// The name of its main board.
    public var board: String?
    /// The version of its BIOS or UEFI.
    public var firmware: String?

    public init(manufacturer: String?, model: String?, board: String?, firmware: String?) {
        self.manufacturer = manufacturer
        self.model = model
        self.board = board
        self.firmware = firmware
    }
}
