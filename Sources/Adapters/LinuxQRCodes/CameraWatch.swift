import CZBar
import Glibc
import QRCodes
import Synchronization

/// One camera, watched on one thread until it shows a code or another thread cancels.
final class CameraWatch: Sendable {
    private let device: String
    private let textLimit: Int
    private let isCancelled = Atomic(false)

    /// How long one wait for a frame lasts: cancelling takes effect within it.
    private static let waitMilliseconds: Int32 = 200
    /// Waits in a row without a frame after which the camera counts as broken: 10 s, as some need seconds to start.
    private static let patience = 50

    init(device: String, textLimit: Int) {
        self.device = device
        self.textLimit = textLimit
    }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Blocks until the camera shows exactly one code that may be Tandem's.
    func run() throws -> String {
        guard let video = zbar_video_create() else { throw failure("out of memory") }
        defer { zbar_video_destroy(video) }
        guard zbar_video_open(video, device) == 0 else { throw failure(reason(video)) }
        // Fine enough for a code with 80 modules held before it; the driver takes the nearest size it has.
        _ = zbar_video_request_size(video, 1280, 720)
        guard zbar_negotiate_format(video, nil) == 0, zbar_video_enable(video, 1) == 0 else {
            throw failure(reason(video))
        }
        defer { _ = zbar_video_enable(video, 0) }
        let scanner = try CodeScanner()
        var misses = 0
        while !isCancelled.load(ordering: .relaxed) {
            var descriptor = pollfd(fd: zbar_video_get_fd(video), events: Int16(POLLIN), revents: 0)
            guard descriptor.fd >= 0 else { throw failure("its driver is too old") }
            guard poll(&descriptor, 1, Self.waitMilliseconds) > 0 else {
                misses += 1
                guard misses < Self.patience else { throw failure("it sends no pictures") }
                continue
            }
            misses = 0
            guard let frame = zbar_video_next_image(video) else { throw failure(reason(video)) }
            defer { zbar_image_destroy(frame) }
            guard let grey = zbar_image_convert(frame, CodeScanner.greyFormat) else {
                throw failure("its picture format is not known")
            }
            defer { zbar_image_destroy(grey) }
            let codes = scanner.codes(inGreyImage: grey) ?? []
            // Several codes, or one that is too long, may be in view for a moment: the person is still aiming.
            if let text = try? CodeScanner.onlyText(of: codes, limit: textLimit) { return text }
        }
        throw CancellationError()
    }

    private func failure(_ reason: String) -> QRError { .cameraFailed(device: device, reason: reason) }

    private func reason(_ video: OpaquePointer) -> String {
        switch _zbar_get_error_code(UnsafeRawPointer(video)) {
        case ZBAR_ERR_BUSY: "another program uses it"
        case ZBAR_ERR_UNSUPPORTED, ZBAR_ERR_INVALID: "it is not a camera that can be read"
        default: "it does not answer as a camera does"
        }
    }
}
