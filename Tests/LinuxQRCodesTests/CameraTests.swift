import Foundation
import LinuxQRCodes
import QRCodes
import Testing

@Suite("QR camera", .timeLimit(.minutes(4)))
struct CameraTests {
    @Test("a machine without a camera says so, and what to do instead")
    func noCamera() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a left-over in the temporary folder harms nobody
        await #expect(throws: QRError.noCamera) { try await LinuxQRCamera(folder: folder.path).nextText() }
        await #expect(throws: QRError.noCamera) { try await LinuxQRCamera(folder: "/nonexistent").nextText() }
        await #expect(throws: QRError.noCamera) { try await LinuxQRCamera(device: "/dev/video-none").nextText() }
        #expect("\(QRError.noCamera)".hasSuffix("use a picture of the code: tandem pair scan --image FILE."))
    }

    @Test("a device that is no camera is named with a reason")
    func notACamera() async throws {
        let error = await #expect(throws: QRError.self) { try await LinuxQRCamera(device: "/dev/null").nextText() }
        guard case .cameraFailed(let device, let reason) = error else {
            Issue.record("/dev/null gave \(String(describing: error))")
            return
        }
        #expect(device == "/dev/null")
        #expect(!reason.isEmpty)
    }
}
