public import Kernel
public import Transport

/// Advertises through the avahi-daemon of this machine. One advertisement at a time.
public final class LinuxServiceAdvertiser: ServiceAdvertiser {
    private let state = LatestValue(AdvertiserState.idle)
    private let supervisor: AvahiSupervisor

    public init(time: any TimeSource = .system) {
        supervisor = AvahiSupervisor(time: time)
    }

    public func states() -> AsyncStream<AdvertiserState> { state.values() }

    public func advertise(_ advertisement: ServiceAdvertisement) async {
        state.set(.starting)
        await supervisor.run(
            role: { [state] fail in AvahiAdvertisement(advertisement, report: { state.set($0) }, fail: fail) },
            report: { [state] in state.set(.waiting($0)) }
        )
        state.set(.idle)
    }
}
