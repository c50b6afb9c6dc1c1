import SystemInfo
import SystemInfoHost
import Testing

@testable import LinuxSystemInfo

@Suite("The kernel's files", .timeLimit(.minutes(4)))
struct KernelFileTests {
    @Test("/proc/stat: idle and waiting for disks is idle, guests are counted once")
    func stat() {
        let text = """
            cpu  2274679 476 192746 1558659 6035 0 18766 2541 900 0
            cpu0 1158055 197 87321 766791 3752 0 9594 1276 0 0
            intr 1
            """
        let busy: UInt64 = 2_274_679 + 476 + 192_746 + 18_766 + 2541
        #expect(ProcessorFiles.times(text) == ProcessorTimes(busy: busy, total: busy + 1_558_659 + 6035))
        #expect(ProcessorFiles.times("cpu 1 2 3 4") == ProcessorTimes(busy: 6, total: 10))
        for text in ["", "cpu", "cpu  1 2 x 4 5", "cpu0 1 2 3 4"] { #expect(ProcessorFiles.times(text) == nil) }
    }

    @Test("/proc/cpuinfo: threads, cores and the mean speed")
    func cpuinfo() {
        func processor(_ number: Int, core: Int, speed: String) -> String {
            """
            processor\t: \(number)
            model name\t: Intel(R) Core(TM) i5-8250U CPU @ 1.60GHz
            cpu MHz\t\t: \(speed)
            physical id\t: 0
            core id\t\t: \(core)

            """
        }
        let text = [
            processor(0, core: 0, speed: "1000.0"), processor(1, core: 1, speed: "2000.0"),
            processor(2, core: 0, speed: "3000.0"),
        ].joined(separator: "\n")
        #expect(
            ProcessorFiles.facts(text, load: [1])
                == ProcessorFacts(
                    model: "Intel(R) Core(TM) i5-8250U CPU @ 1.60GHz",
                    cores: 3,
                    physicalCores: 2,
                    speedMHz: 2000,
                    load: [1]
                )
        )
    }

    @Test("/proc/cpuinfo of a board with ARM says less")
    func armCPUInfo() {
        let text = "processor\t: 0\nBogoMIPS\t: 108.00\n\nprocessor\t: 1\n\nModel\t\t: Raspberry Pi 5 Model B Rev 1.0\n"
        #expect(
            ProcessorFiles.facts(text, load: [])
                == ProcessorFacts(
                    model: "Raspberry Pi 5 Model B Rev 1.0",
                    cores: 2,
                    physicalCores: nil,
                    speedMHz: nil,
                    load: []
                )
        )
        #expect(ProcessorFiles.facts("", load: []).cores == 1)
    }

    @Test("/proc/loadavg and /proc/uptime")
    func loadAndUptime() {
        #expect(ProcessorFiles.load("3.64 3.12 2.80 5/115 28462\n") == [3.64, 3.12, 2.8])
        #expect(ProcessorFiles.uptime("19511.10 15488.86\n") == 19511.1)
        #expect(ProcessorFiles.uptime("") == nil)
    }

    @Test("/proc/meminfo: what programs could get is free; old kernels do not estimate it")
    func meminfo() {
        let text = """
            MemTotal:       1000 kB
            MemFree:         100 kB
            MemAvailable:    600 kB
            Buffers:          50 kB
            Cached:          300 kB
            SwapTotal:       200 kB
            SwapFree:        150 kB
            HugePages_Total:   0
            """
        #expect(
            MemoryFile.facts(text)
                == MemoryFacts(
                    total: 1_024_000,
                    available: 614_400,
                    cached: 358_400,
                    swapTotal: 204_800,
                    swapFree: 153_600
                )
        )
        #expect(MemoryFile.facts("MemTotal: 1000 kB\nMemFree: 100 kB\nCached: 300 kB")?.available == 409_600)
        #expect(MemoryFile.facts("MemFree: 100 kB") == nil)
        #expect(MemoryFile.facts("MemTotal: 99999999999999999999 kB") == nil)
    }

    @Test("mounts: this computer's disks, each once, the system's first; names with spaces are read")
    func mounts() {
        let text = #"""
            proc /proc proc rw 0 0
            /dev/sdb1 /mnt/My\040Disk\134\011x ext4 rw 0 0
            rootfs / rootfs rw 0 0
            /dev/vda / ext4 rw,relatime 0 0
            /dev/vda /srv/bind ext4 rw 0 0
            /dev/loop3 /snap/core/1 squashfs ro 0 0
            server:/export /mnt/nfs nfs4 rw 0 0
            tank/home /home zfs rw 0 0
            broken
            """#
        #expect(
            MountTable.disks(text) == [
                MountTable.Mount(device: "/dev/vda", point: "/", kind: "ext4"),
                MountTable.Mount(device: "/dev/sdb1", point: "/mnt/My Disk\\\tx", kind: "ext4"),
                MountTable.Mount(device: "tank/home", point: "/home", kind: "zfs"),
            ]
        )
        let many = (0..<100).map { "/dev/sd\($0) /mnt/\($0) ext4 rw 0 0" }.joined(separator: "\n")
        #expect(MountTable.disks(many).count == 32)
    }

    @Test("/proc/net/dev counts both ways, also where the number touches the colon")
    func traffic() {
        let text = """
            Inter-|   Receive                                                |  Transmit
             face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
                lo: 522 5 0 0 0 0 0 0 522 5 0 0 0 0 0 0
              eth0:4096 9 0 0 0 0 0 0 1024 7 0 0 0 0 0 0
            broken: 1 2
            """
        #expect(
            NetworkFiles.traffic(text) == [
                "lo": NetworkFiles.Traffic(received: 522, sent: 522),
                "eth0": NetworkFiles.Traffic(received: 4096, sent: 1024),
            ]
        )
    }

    @Test("/proc/net/route: the default route with the lowest metric")
    func route() {
        let text = """
            Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
            wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
            eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
            eth1\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
            """
        #expect(NetworkFiles.defaultInterface(text) == "eth0")
        #expect(NetworkFiles.defaultInterface("Iface\tDestination\n") == nil)
    }

    @Test("os-release with and without quotes")
    func release() {
        let text = "# hi\nNAME=\"Debian \\\"GNU\\\"/Linux\"\nVERSION_ID='12'\nID=debian\nEMPTY=\nbroken\n"
        #expect(ReleaseFile.values(text) == ["NAME": "Debian \"GNU\"/Linux", "VERSION_ID": "12", "ID": "debian"])
    }

    @Test("systemctl's list, up to the limit")
    func services() {
        let text = """
            cron.service                 loaded    active   running Regular background program processing daemon
            nfs.service                  not-found inactive dead    nfs.service
            broken line
            ssh.service                  loaded    failed   failed
            """
        #expect(
            SystemctlUnits.services(text, limit: 2) == [
                ServiceFacts(
                    name: "cron.service",
                    summary: "Regular background program processing daemon",
                    state: "active",
                    detail: "running"
                ),
                ServiceFacts(name: "nfs.service", summary: "nfs.service", state: "inactive", detail: "dead"),
            ]
        )
        #expect(SystemctlUnits.services(text, limit: 10).map(\.state) == ["active", "inactive", "failed"])
    }

    @Test("the journal's lines: texts, bytes that are no text, messages left out, and lines that were cut")
    func journal() {
        let text = """
            {"__REALTIME_TIMESTAMP":"1790000000123456","PRIORITY":"3","SYSLOG_IDENTIFIER":"sshd","MESSAGE":"no route"}
            {"__REALTIME_TIMESTAMP":"1790000001000000","_COMM":"cat","MESSAGE":[104,255,105]}
            {"PRIORITY":"9","_SYSTEMD_UNIT":"x.service","MESSAGE":null}
            {"PRIORITY":"3","MESS
            """
        #expect(
            JournalLines.entries(Array(text.utf8)) == [
                LogEntry(timestamp: 1_790_000_000_123, level: .error, source: "sshd", message: "no route"),
                LogEntry(timestamp: 1_790_000_001_000, level: .info, source: "cat", message: "h\u{FFFD}i"),
                LogEntry(timestamp: 0, level: .info, source: "x.service", message: ""),
            ]
        )
        let long = #"{"MESSAGE":""# + String(repeating: "x", count: 10_000) + #""}"#
        #expect(JournalLines.entries(Array(long.utf8)).first?.message.count == 4097)
    }
}
