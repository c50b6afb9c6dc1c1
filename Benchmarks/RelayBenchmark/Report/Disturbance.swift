/// How much other programs were in the way, which no median shows.
final class Disturbance {
    private var ran = 0.0
    private var waited = 0.0

    func add(_ server: ServerProcess) throws {
        ran += try server.processorSeconds()
        waited += try server.waitedSeconds()
    }

    /// A sentence for below the table.
    var sentence: String {
        "The servers ran for \(ran.text()) s and waited \(waited.text()) s for their core."
            + (waited > ran * 0.1 ? " Other programs ran: believe the ratios, and repeat for the times." : "")
    }
}
