/// The device that the current task works for.
///
/// Blocking work takes turns by it. It is local to the task, because what waits for a disk lies many calls below the door that knows the
/// device: a call that forgot to hand it down would be work without a bound.
public enum WorkOwner {
    /// The device's id; nil for the work of this machine's owner and of the program itself.
    @TaskLocal public static var device: String?
}
