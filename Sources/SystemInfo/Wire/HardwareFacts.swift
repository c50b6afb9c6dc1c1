/// The computer's hardware, as its firmware and system report it; nil where they say nothing.
public struct HardwareFacts: Hashable, Sendable {
    /// The maker of the machine, from its firmware (DMI).
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
