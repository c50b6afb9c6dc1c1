import Foundation
import Kernel
import KernelTesting
import Pairing
import PairingTesting
import Sealing
import Testing

@Suite("The screens of pairing", .timeLimit(.minutes(4)))
@MainActor
struct ViewModelTests {
    /// Lets other tasks run until `fits`.
    private func wait(until fits: () -> Bool) async {
        while !Task.isCancelled, !fits() { await Task.yield() }
    }

    @Test("scanning goes from scanning over sending to success, and back for another computer")
    func scan() async throws {
        let scene = try await PairingScene()
        let model = ScanDesktopPairingViewModel(.init(scene.phone))
        #expect(model.state == .scanning)
        let text = try await scene.host.makeCode().qrText
        let scanning = Task { await model.scanned(text) }
        await wait { model.state == .sending("studio-pc") }
        await model.scanned("https://example.net/x")  // the camera sees something else meanwhile
        #expect(model.state == .sending("studio-pc"))
        let request = try await scene.request()
        try await scene.host.accept(request.id)
        await scanning.value
        #expect(model.state == .success("studio-pc"))
        model.scanAgain()
        #expect(model.state == .scanning)
    }

    @Test("a code of another kind fails with its reason, and scanning can go on")
    func wrongKind() async throws {
        let scene = try await PairingScene()
        let model = ScanDesktopPairingViewModel(.init(scene.phone))
        await model.scanned(#"{"type":"wifi"}"#)
        guard case .failed(let failure) = model.state else {
            Issue.record("another kind of code is a failure")
            return
        }
        #expect(failure.error == .wrongKindOfCode(found: "wifi"))
        #expect(failure.remedy == nil)
        model.scanAgain()
        #expect(model.state == .scanning)
    }

    @Test("leaving the screen ends the pairing without a failure")
    func leaving() async throws {
        let scene = try await PairingScene()
        let model = ScanDesktopPairingViewModel(.init(scene.phone))
        let text = try await scene.host.makeCode().qrText
        let scanning = Task { await model.scanned(text) }
        _ = try await scene.request()
        scanning.cancel()
        await scanning.value
        #expect(model.state == .scanning)
    }

    @Test("a changed key is said to be one, and the person may go on")
    func changedKey() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        let earlier = Identity()
        try await scene.desktops.save(
            PairedDesktop(
                pcPeerID: PairingScene.desktopID,
                deviceName: "studio-pc",
                pairedAt: scene.clock.date,
                lastSeenAt: scene.clock.date,
                did: earlier.did,
                agreementKey: earlier.agreementKey,
                state: .confirmed
            )
        )
        let model = ScanDesktopPairingViewModel(.init(scene.phone))
        await model.scanned(try await scene.host.makeCode().qrText)
        guard case .failed(let failure) = model.state else {
            Issue.record("another key is a failure first")
            return
        }
        #expect(failure.error == .keyChanged(name: "studio-pc"))
        await model.continueAnyway()
        #expect(model.state == .success("studio-pc"))
    }

    @Test("a shown code counts down by the second and ends completed")
    func display() async throws {
        let scene = try await PairingScene()
        let model = DesktopPairingViewModel(.init(scene.phone))
        let displaying = Task { await model.display() }
        await wait { model.state != .idle }
        guard case .displaying(let payload, let json, let expiresAt) = model.state else {
            Issue.record("a code is displayed")
            return
        }
        #expect(json == payload.text)
        #expect(expiresAt == scene.clock.date.addingTimeInterval(300))
        #expect(model.secondsLeft == 300)
        await scene.clock.sleepers(2)  // the countdown, and the end of the code
        scene.clock.advance(by: .seconds(1))
        await wait { model.secondsLeft == 299 }
        try await scene.host.pair(with: try scene.host.read(json))
        await displaying.value
        #expect(model.state == .completed)
        #expect(model.desktopName == "studio-pc")
    }

    @Test("a shown code that nobody scans ends expired")
    func expired() async throws {
        let scene = try await PairingScene()
        let model = DesktopPairingViewModel(.init(scene.phone))
        let displaying = Task { await model.display() }
        await scene.clock.sleepers(2)
        scene.clock.advance(by: .seconds(301))
        await displaying.value
        #expect(model.state == .expired)
        #expect(model.secondsLeft == 0)
    }

    @Test("typing takes digits only, and six of them show the number to compare")
    func typing() async throws {
        let scene = try await PairingScene()
        let model = ManualPairingViewModel(.init(scene.phone))
        let shown = try await scene.host.makeCode(options: PairingOptions(digits: .six))
        model.typedCode = "48 2a9"
        #expect(model.typedCode == "4829")
        #expect(!model.canSubmit)
        model.typedCode = shown.qr.code.digits
        #expect(model.canSubmit)
        let submitting = Task { await model.submit() }
        let request = try await scene.request()
        await wait { model.comparisonNumber != nil }
        #expect(model.comparisonNumber == request.comparisonNumber)
        #expect(model.ownKey == request.fingerprint)
        guard case .waitingForConfirm(_, let expiresAt) = model.state else {
            Issue.record("the computer is waited for")
            return
        }
        // It has shown that it is there: its person gets five minutes.
        #expect(expiresAt == scene.clock.date.addingTimeInterval(300))
        #expect(model.secondsLeft == 300)
        try await scene.host.accept(request.id, comparison: .same)
        await wait { model.state == .confirming(number: request.comparisonNumber ?? "") }
        #expect(try await scene.desktops.all().isEmpty)
        model.confirm(true)
        await submitting.value
        #expect(model.state == .success(name: "studio-pc"))
    }

    @Test("a code that nobody shows fails, and the field is there again")
    func unknownCode() async throws {
        let scene = try await PairingScene()
        let model = ManualPairingViewModel(.init(scene.phone))
        model.typedCode = "4829137306"
        await model.submit()
        guard case .failed(let failure) = model.state else {
            Issue.record("an unknown code is a failure")
            return
        }
        #expect(failure.error == .codeNotShown)
        model.enterAgain()
        #expect(model.state == .entering)
        #expect(model.typedCode == "")
    }

    @Test("the list of paired computers follows each change, and forgets")
    func list() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        let model = PairedDevicesListViewModel(.init(scene.phone))
        let following = Task { await model.follow() }
        defer { following.cancel() }
        await wait { model.desktops == [] }
        let desktop = try await scene.phone.pair(with: try scene.phone.read(try await scene.host.makeCode().qrText))
        await wait { model.desktops?.map(\.pcPeerID) == [desktop.pcPeerID] }
        await model.forget(desktop)
        await wait { model.desktops == [] }
        #expect(model.failureMessage == nil)
    }

    @Test("a wrong typed code shows a warning and the new digits at once, and the third the lock with its end")
    func wrongCodes() async throws {
        let scene = try await PairingScene()
        let model = PairingHostViewModel(.init(scene.host))
        let following = Task { await model.follow() }
        defer { following.cancel() }
        await model.makeCode()
        var last: TypedCode?
        for attempt in 1...3 {
            await wait {
                guard case .waiting(let shown) = model.state, let typed = shown.typed else { return false }
                return typed != last && scene.relay.isRegistered(typed.code.alias)
            }
            guard case .waiting(let shown) = model.state, let typed = shown.typed else { return }
            last = typed
            #expect(model.isSuspicious == (attempt > 1))
            #expect((model.warning == nil) == (attempt == 1))
            let wrong = try TypedCode(typed.code.digits + (typed.digits.hasSuffix("0000") ? "0001" : "0000"))
            await #expect(throws: PairingError.wrongCode) { try await scene.phone.pair(typing: wrong) }
        }
        await wait { model.typedCodesLockedUntil != nil }
        #expect(model.typedCodesLockedUntil == scene.clock.date.addingTimeInterval(60))
        #expect(model.lockSecondsLeft == 60)
        guard case .waiting(let shown) = model.state else {
            Issue.record("the code can still be scanned")
            return
        }
        #expect(shown.typed == nil)
    }

    @Test("the computer's screen shows its code, who asks, and who was paired")
    func host() async throws {
        let scene = try await PairingScene()
        let model = PairingHostViewModel(.init(scene.host))
        let following = Task { await model.follow() }
        defer { following.cancel() }
        await wait { model.state == .idle }
        await model.makeCode()
        await wait { model.state != .idle }
        guard case .waiting(let shown) = model.state else {
            Issue.record("a code is shown")
            return
        }
        #expect(model.secondsLeft == 300)
        let pairing = Task { try await scene.phone.pair(with: try scene.phone.read(shown.qrText)) }
        await wait { !model.requests.isEmpty }
        #expect(model.state == .acked)
        let request = try #require(model.requests.first)
        await model.accept(request)
        _ = try await pairing.value
        await wait { model.lastPaired != nil }
        #expect(model.lastPaired?.did == scene.phoneIdentity.did)
        #expect(model.requests.isEmpty)
        await model.accept(request)
        #expect(model.failureMessage == PairingError.unknownRequest.description)
    }
}
