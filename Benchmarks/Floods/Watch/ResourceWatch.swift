/// The most memory and descriptors a server's program had while a flood ran. Asked between turns of the load, twenty times a second.
struct ResourceWatch {
    private static let step = 0.05
    let program: Program
    let before: Int
    private(set) var mostBytes: Int
    private(set) var mostDescriptors: Int
    /// What was left of the limit when most were open.
    private(set) var fewestSpare: Int
    private var last = 0.0

    init(_ program: Program) {
        self.program = program
        before = program.residentBytes()
        mostBytes = before
        mostDescriptors = program.descriptors()
        fewestSpare = program.descriptorLimit() - mostDescriptors
    }

    mutating func look() {
        let now = HalfLoad.now()
        guard now - last >= Self.step else { return }
        last = now
        mostBytes = max(mostBytes, program.residentBytes())
        let open = program.descriptors()
        guard open > mostDescriptors else { return }
        mostDescriptors = open
        fewestSpare = program.descriptorLimit() - open
    }

    var grownBytes: Int { mostBytes - before }
}
