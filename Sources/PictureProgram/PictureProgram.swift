import CConfinement
import CVipsShim
import Glibc
import PictureWire

/// The program `tandem-pictures`: reads pictures from strangers, and holds nothing that is worth reading itself.
///
/// It warms up libvips, gives up files, network and further system calls, says so, and answers one request after another until its input
/// ends.
@main
enum PictureProgram {
    /// Address space for one request, in bytes: 64 million pixels of a picture that is decoded as a whole, twice, and its file.
    private static let memoryLimit: UInt64 = 1536 << 20
    /// Processor time of one request, in seconds. Its asker waits no longer either.
    private static let processorSeconds: UInt32 = 60

    static func main() {
        var confined = tandem_confine_early()
        // Where libvips does not start, each request is told so.
        _ = cvips_warm_up()
        let version = String(cString: cvips_version())
        confined |= tandem_confine_fully(memoryLimit)
        let streams = Streams(input: 0, output: 1)
        let hello = PictureHello(
            PictureConfinement(rawValue: UInt8(truncatingIfNeeded: confined)),
            versionCount: version.utf8.count
        )
        guard streams.write(hello.bytes + Array(version.utf8).prefix(hello.versionCount)) else { exit(1) }
        while let header = streams.read(PictureRequest.size) {
            tandem_confine_time(processorSeconds)
            // What follows a header that is none cannot be told apart from the next one.
            guard let request = PictureRequest(bytes: header), let picture = streams.read(request.byteCount) else {
                exit(2)
            }
            guard PictureWork.result(of: request, on: picture).write(to: streams) else { exit(1) }
            tandem_confine_time(0)
        }
    }
}
