import Commands
import Pairing
import Rights

extension PairedPhone {
    /// What it is allowed and will be refused all the same, unless it signs its commands: nothing proves who sent the others.
    var refusedUnsigned: Set<Right> {
        isEndToEnd ? [] : allowedSkills.filter { $0.risk == .privileged }.subtracting(unsignedRights)
    }
}
