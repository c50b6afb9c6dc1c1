import Foundation
import Glibc
package import QRCodes

/// Looks for codes through a Video4Linux camera.
package struct LinuxQRCamera: QRCamera {
    private let chosenDevice: String?
    private let folder: String
    private let limits: PictureLimits

    /// - Parameter device: Such as `/dev/video2`; the first camera in `folder` when nil.
    package init(device: String? = nil, folder: String = "/dev", limits: PictureLimits = PictureLimits()) {
        chosenDevice = device
        self.folder = folder
        self.limits = limits
    }

    package func nextText() async throws -> String {
        let device = try device()
        let watch = CameraWatch(device: device, textLimit: limits.textBytes)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // A thread of its own: it waits for the camera for as long as the person takes to show the code.
                Thread.detachNewThread { continuation.resume(with: Result { try watch.run() }) }
            }
        } onCancel: {
            watch.cancel()
        }
    }

    private func device() throws(QRError) -> String {
        guard let device = chosenDevice ?? firstDevice(), access(device, F_OK) == 0 else { throw .noCamera }
        guard access(device, R_OK | W_OK) == 0 else { throw .cameraNotAllowed(device: device) }
        return device
    }

    private func firstDevice() -> String? {
        // A folder that cannot be listed has no camera for us either.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let numbers = names.compactMap { $0.hasPrefix("video") ? Int($0.dropFirst("video".count)) : nil }
        return numbers.min().map { "\(folder)/video\($0)" }
    }
}
