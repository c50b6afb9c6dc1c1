/// How far one end has come with the other's messages: everything of `epoch` up to `number` arrived.
package struct Acknowledged: Hashable, Sendable {
    package var epoch: Epoch
    package var number: UInt64

    package static let nothing = Acknowledged(epoch: .none, number: 0)

    package init(epoch: Epoch, number: UInt64) {
        self.epoch = epoch
        self.number = number
    }
}
