// swift-tools-version: 6.2
import PackageDescription

// .ci/run builds once, in release: the tests, what they test, and the programs that are tried. The tests reach into modules, and gain
// nothing from being optimised. bin/fuzz asks for the sanitizer in what is fuzzed; the packages that we use are not built again for it.
let isTesting = Context.environment["TANDEM_TEST_RELEASE"] != nil
let isFuzzing = Context.environment["TANDEM_FUZZ"] != nil
let flags = (isTesting ? ["-enable-testing"] : []) + (isFuzzing ? ["-sanitize=fuzzer"] : [])

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ] + (flags.isEmpty ? [] : [.unsafeFlags(flags)])

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioTLS: Target.Dependency = .product(name: "NIOTLS", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let coreMetrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let asyncAlgorithms: Target.Dependency = .product(name: "AsyncAlgorithms", package: "swift-async-algorithms")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let configuration: Target.Dependency = .product(name: "Configuration", package: "swift-configuration")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let jwt: Target.Dependency = .product(name: "JWTKit", package: "jwt-kit")
let x509: Target.Dependency = .product(name: "X509", package: "swift-certificates")
let asn1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")

/// A module of ours, with the settings every module shares.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

/// A feature's wire and its client: what a phone embeds. The halves of a computer and of a hub are targets of their own, in `Host/` and `Hub/`
/// of the same folder.
func feature(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    in folder: String = "Sources",
    others: [String] = ["Host"]
) -> Target {
    .target(
        name: name,
        dependencies: [
            "Kernel", "Rights", "Sections", "Capabilities", "Commands", "CommandClient", "Control", "Storage",
        ]
            + dependencies,
        path: "\(folder)/\(name)",
        exclude: others,
        swiftSettings: settings
    )
}

/// A feature's computer's half.
func host(_ feature: String, _ dependencies: [Target.Dependency] = [], in folder: String = "Sources") -> Target {
    module(
        "\(feature)Host",
        [.byName(name: feature), "Kernel", "Rights", "Capabilities", "Commands", "CommandServer", "Control", "Storage"]
            + dependencies,
        path: "\(folder)/\(feature)/Host"
    )
}

/// A feature's hub's half.
func hub(_ feature: String, _ dependencies: [Target.Dependency] = [], in folder: String = "Sources") -> Target {
    module(
        "\(feature)Hub",
        ["Kernel", "Capabilities", "Control", "Principals", "Storage", "Transport"] + dependencies,
        path: "\(folder)/\(feature)/Hub"
    )
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies,
        resources: resources,
        swiftSettings: settings + (isTesting ? [.unsafeFlags(["-Onone"])] : [])
    )
}

/// Both ends of remote operation, for what tries or starts all of it.
let remote: [Target.Dependency] = [
    "Capabilities", "Commands", "CommandServer", "CommandClient", "Transfers", "Pictures", "Files", "FilesHost",
    "Terminal",
    "TerminalHost", "Clipboard", "ClipboardHost", "Screen", "ScreenHost", "SystemInfo", "SystemInfoHost", "Threads",
    "ThreadsHost", "Conversations", "AgentHistory", "Notifications", "NotificationsHost", "SavedCommands",
    "SavedCommandsHost", "Power", "PowerHost", "RemoteInput", "RemoteInputHost", "PortForwarding",
    "PortForwardingHost",
]

/// What the tests of every feature need.
let featureTests: [Target.Dependency] = [
    "Kernel", "KernelTesting", "Rights", "Storage", "Capabilities", "Commands", "CommandServer", "CommandClient",
    "Control", grdb,
    logging,
]

let package = Package(
    name: "tandem",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "tandem", targets: ["tandem"]),
        .executable(name: "tandem-pictures", targets: ["PictureProgram"]),
        .library(
            name: "TandemPhone",
            targets: [
                "TandemPhone", "Kernel", "Pairing", "Commands", "CommandClient", "Transport", "SystemInfo", "Clipboard",
                "Screen", "Files", "Terminal", "Threads", "Conversations", "Notifications", "SavedCommands", "Power",
                "RemoteInput", "Bridge", "Chat", "WebClient",
                "AppleWebClient", "Accounts", "AccountsClient", "ChatSealing", "ChatClient",
            ]
        ),
        .library(name: "NetworkWebClient", targets: ["NetworkWebClient"]),
        .library(name: "TandemTesting", targets: ["KernelTesting", "SignalingTesting", "PairingTesting"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        // Core: what every feature stands on.
        module("Kernel"),
        module("KernelTesting", ["Kernel"]),
        // What is followed: numbered changes, their readers, and a lane for each follower.
        module("Feed", ["Kernel", deque]),
        module("Sealing", ["Kernel", crypto]),
        // Who asks, and how that is proved.
        module("Principals", ["Kernel", "Sealing"]),
        module("Storage", ["Kernel", "Sealing", grdb]),
        module(
            "Transport",
            ["Kernel", "Sealing", "Storage", crypto, deque, nioCore, nioPosix, nioSSL, nioTLS, grdb, logging]
        ),

        // Messages to phones through the push services of their systems.
        module(
            "Push",
            ["Kernel", "Transport", crypto, nioCore, nioPosix, nioHTTP1, nioSSL, logging]
        ),

        // The signaling wire.
        module("Signaling", ["Kernel", "Sealing", "Transport", logging]),
        module("SignalingTesting", ["Kernel", "KernelTesting", "Signaling", "Transport", "Sealing"]),
        // HTTP and WebSocket routes behind a listener: of the signaling server, and of the page.
        module(
            "RouteServer",
            ["Kernel", "Transport", nioCore, hummingbird, hummingbirdCore, logging]
        ),
        module(
            "SignalingServer",
            [
                "Kernel", "Sealing", "Storage", "Transport", "RouteServer", crypto, nioCore, nioPosix, nioHTTP1, grdb,
                hummingbird,
                hummingbirdCore, logging, metrics, coreMetrics, lifecycle,
            ]
        ),

        // Features.
        module("Rights", ["Kernel"]),
        module(
            "Pairing",
            ["Kernel", "Rights", "Sealing", "Storage", "Transport", "Signaling", "Control", crypto, grdb, logging]
        ),
        module("PairingTesting", ["Kernel", "KernelTesting", "Sealing", "Pairing"]),
        module("Commands", ["Kernel", "Rights"]),
        // Parts of a phone's data, each taken out and put back as one.
        module("Sections", ["Kernel", "Storage", grdb]),
        // What a feature brings, whatever role it lives in.
        module(
            "Capabilities",
            ["Kernel", "Rights", "Sealing", "Storage", "Sections", "Control", "Transport", grdb, logging]
        ),
        .target(
            name: "CommandServer",
            dependencies: [
                "Kernel", "Rights", "Sealing", "Storage", "Transport", "Capabilities", "Commands", "Control", deque,
                grdb,
                logging,
            ],
            // In the program itself: an installed program has no folder of resources.
            resources: [.embedInCode("Registry/skills.json")],
            swiftSettings: settings
        ),
        module(
            "CommandClient",
            [
                "Kernel", "Rights", "Sealing", "Capabilities", "Commands", "Control", "Storage", "Transport", grdb,
                logging,
            ]
        ),
        module("Transfers", ["Kernel", "Rights", "Sealing", "Commands", "Storage", crypto, grdb, logging]),
        // Media and other files that people hand to a role: received resumably, kept, served.
        module(
            "Blobs",
            ["Kernel", "Sealing", "Storage", "Transport", "Commands", "Transfers", crypto, grdb, logging]
        ),
        // Whole sets of a phone's data, of which one is current: the ports to the disk, the commit, what is kept.
        module("Generations", ["Kernel", .target(name: "CLinux", condition: .when(platforms: [.linux]))]),
        module("GenerationsTesting", ["Kernel", "KernelTesting", "Generations"], path: "Tests/GenerationsTesting"),
        // The layout of archives and the checks against hostile ones.
        module("Archives", ["Kernel", "CArchive", "CZlib"]),
        // The sealed package in which a phone's data moves.
        module(
            "MigrationContainer",
            ["Kernel", "Archives", crypto, cryptoExtras],
            path: "Sources/Migration/Container"
        ),
        // Puts what a migration's package holds into a generation.
        module("MigrationRestore", ["Kernel", "Generations", "MigrationContainer"], path: "Sources/Migration/Restore"),
        // Carries a migration's package between two phones; what is inside the package is not its business.
        module(
            "MigrationTransfer",
            [
                "Kernel", "Sealing", "Signaling", "Transport", "Transfers",
                .target(name: "CLinux", condition: .when(platforms: [.linux])), crypto, nioCore, nioPosix,
            ],
            path: "Sources/Migration/Transfer"
        ),
        module("Pictures", ["Kernel", "Commands"]),
        // What the program that reads pictures is asked and answers.
        module("PictureWire"),
        // The only target that links libvips, in a process of its own.
        .executableTarget(
            name: "PictureProgram",
            dependencies: ["PictureWire", "CVipsShim", "CConfinement"],
            swiftSettings: settings
        ),
        feature(
            "Files",
            [
                "Blobs", "Transfers", "Transport", .target(name: "CLinux", condition: .when(platforms: [.linux])), grdb,
                logging,
            ]
        ),
        host("Files", ["Pictures", "Transfers", "Transport", deque, grdb, logging]),
        feature("Terminal", ["Transport"]),
        host("Terminal"),
        feature("Clipboard", ["Pictures"]),
        host("Clipboard", ["Pictures"]),
        feature("Screen", ["Pictures", "Transport"]),
        host("Screen", ["Pictures"]),
        feature("RemoteInput"),
        host("RemoteInput", [logging]),
        // The notifications of a desktop session, as values and a seam for its adapters.
        module("DesktopNotifications", ["Kernel"]),
        feature("SystemInfo"),
        host("SystemInfo"),
        feature("PortForwarding", ["Principals", "Sealing", "Transport", deque, nioCore, nioPosix]),
        host("PortForwarding", [grdb, logging]),
        module("LinuxPorts", ["PortForwarding", "PortForwardingHost"], path: "Sources/Adapters/LinuxPorts"),
        feature("Threads", ["Feed", "Conversations"]),
        feature("Notifications", ["Feed", "Pictures", "Transport", asyncAlgorithms, grdb, logging]),
        host("Notifications", ["Feed", "Pictures", "Transport", grdb, logging]),
        host("Threads", ["Feed", "Conversations", "AgentHistory", "ThreadIndex", "Agents", logging]),
        // The histories that coding agents keep on disk, read only.
        module("Conversations", ["Kernel"]),
        module("AgentHistory", ["Kernel", "Conversations", "CZstd"]),
        module("ThreadIndex", ["Kernel", "Storage", "Conversations", "AgentHistory", grdb, logging]),
        module("LinuxFolderWatch", ["ThreadIndex", "CLinux", logging], path: "Sources/Adapters/LinuxFolderWatch"),
        // The agents themselves, driven by their protocols.
        module("Agents", ["Kernel", "Conversations", "AgentHistory", logging, system]),
        module(
            "LinuxAgents",
            ["Kernel", "Agents", "LinuxProcesses"],
            path: "Sources/Adapters/LinuxAgents"
        ),
        // Programs with pipes, each the leader of a group that ends together.
        module(
            "LinuxProcesses",
            ["Kernel", "LinuxTerminal", "CLinux"],
            path: "Sources/Adapters/LinuxProcesses"
        ),
        // Commands that the owner saved and phones run; locking, sleeping and waking.
        feature("SavedCommands"),
        host("SavedCommands", [grdb, logging]),
        module(
            "LinuxSavedCommands",
            ["Kernel", "SavedCommandsHost", "LinuxProcesses"],
            path: "Sources/Adapters/LinuxSavedCommands"
        ),
        feature("Power", [grdb, logging]),
        host("Power"),
        module(
            "LinuxPower",
            ["Kernel", "Power", "PowerHost", "LinuxBus"],
            path: "Sources/Adapters/LinuxPower"
        ),
        // Questions to web servers: one seam, and an adapter for each system's client.
        module("WebClient", ["Kernel", asyncAlgorithms]),
        module(
            "NetworkWebClient",
            ["Kernel", "WebClient", asyncHTTPClient, nioCore, nioPosix, nioHTTP1, nioSSL],
            path: "Sources/Adapters/NetworkWebClient"
        ),
        module("AppleWebClient", ["Kernel", "WebClient"], path: "Sources/Adapters/AppleWebClient"),
        // A server's certificate, got from an authority and renewed.
        module("ACME", ["Kernel", "WebClient", crypto, x509, asn1, nioCore, nioPosix, nioHTTP1, logging, lifecycle]),
        // People with accounts at a hub, and what they say to each other.
        .target(
            name: "Accounts",
            dependencies: ["Kernel", "Sealing"],
            exclude: ["Client", "Hub"],
            swiftSettings: settings
        ),
        module(
            "AccountsClient",
            [
                "Kernel", "Sections", "Sealing", "Storage", "Transport", "Control", "Capabilities", "Commands",
                "CommandClient",
                "Accounts", "WebClient", grdb,
            ],
            path: "Sources/Accounts/Client"
        ),
        hub("Accounts", ["Accounts", "Sealing", crypto, cryptoExtras, jwt, grdb, logging, metrics]),
        .target(
            name: "Chat",
            dependencies: ["Kernel", "Accounts", crypto, deque],
            exclude: ["Client", "Hub", "Sealing"],
            swiftSettings: settings
        ),
        // Sealed conversations as values: lists of devices, chat keys, messages, media.
        module("ChatSealing", ["Kernel", "Sealing", "Accounts", "Chat", crypto], path: "Sources/Chat/Sealing"),
        // A device's half: the store, the connection, and what commands and pages ask.
        module(
            "ChatClient",
            [
                "Kernel", "Sections", "Sealing", "Storage", "Transport", "Control", "Capabilities", "Commands",
                "CommandClient",
                "Accounts", "AccountsClient", "Blobs", "Chat", "ChatSealing", "Feed", "Pictures", "Transfers",
                "WebClient", crypto,
                deque,
                grdb, logging,
            ],
            path: "Sources/Chat/Client"
        ),
        hub(
            "Chat",
            [
                "Accounts", "AccountsHub", "Blobs", "Chat", "ChatSealing", "Feed", "Pictures", "Push", "Sealing",
                "WebClient",
                asyncAlgorithms, crypto, grdb, logging, metrics,
            ]
        ),

        // A person's journal: stories, categories, media that are encrypted at rest; imports and exports.
        feature(
            "Journal",
            ["Archives", "Blobs", "Generations", "Pictures", "Transport", crypto, grdb, logging],
            others: []
        ),
        // The journal as a backup reads it and as a restore builds it.
        module(
            "MigrationJournal",
            ["Kernel", "Generations", "Journal", "MigrationContainer", "MigrationRestore"],
            path: "Sources/Migration/Journal"
        ),
        // A phone's move: packages of its data, what is restored, and the wizard of both phones.
        module(
            "MigrationClient",
            [
                "Kernel", "Sealing", "Signaling", "Storage", "Sections", "Capabilities", "Commands", "CommandClient",
                "Control", "Transport",
                "Archives", "Generations", "Journal", "MigrationContainer", "MigrationJournal", "MigrationRestore",
                "MigrationTransfer", "TandemPhone", crypto, grdb, logging,
            ],
            path: "Sources/Migration/Client"
        ),

        // The documented protocol of port 9099.
        feature("Bridge", ["Transport", "Signaling", crypto, logging]),
        host(
            "Bridge",
            ["Sealing", "Principals", "Transport", "RouteServer", crypto, nioCore, nioPosix, grdb, logging]
        ),
        .executableTarget(
            name: "thread-benchmark",
            dependencies: [
                "BenchmarkReport", "Kernel", "Conversations", "AgentHistory", "ThreadIndex", "LinuxFolderWatch",
                arguments,
                logging,
            ],
            path: "Benchmarks/ThreadBenchmark",
            swiftSettings: settings
        ),

        .executableTarget(
            name: "notification-benchmark",
            dependencies: [
                "Kernel", "Rights", "Storage", "Capabilities", "Commands", "CommandServer", "CommandClient",
                "Notifications", "NotificationsHost", "Sealing", grdb, arguments, logging,
            ],
            path: "Benchmarks/NotificationBenchmark",
            swiftSettings: settings
        ),

        .executableTarget(
            name: "notification-endurance",
            dependencies: [
                "Kernel", "CommandClient", "Control", "Pairing", "Notifications", "NotificationsTesting", "TandemPhone",
                arguments, logging,
            ],
            path: "Benchmarks/NotificationEndurance",
            swiftSettings: settings
        ),

        // Adapters: one per operating system's service.
        .systemLibrary(name: "CQREncode", path: "Sources/Adapters/CQREncode"),
        .systemLibrary(name: "CZBar", path: "Sources/Adapters/CZBar"),
        .systemLibrary(name: "CXCB", path: "Sources/Adapters/CXCB"),
        // Writes pictures of the screen. What other people's pictures are read with is in a process of its own.
        .target(name: "CJPEG", path: "Sources/Adapters/CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .systemLibrary(name: "CAvahi", path: "Sources/Adapters/CAvahi"),
        .systemLibrary(name: "CVips", path: "Sources/Adapters/CVips", pkgConfig: "vips"),
        .systemLibrary(name: "CZstd", path: "Sources/Adapters/CZstd"),
        .systemLibrary(name: "CArchive", path: "Sources/Adapters/CArchive"),
        .systemLibrary(name: "CZlib", path: "Sources/Adapters/CZlib"),
        .systemLibrary(name: "CSystemd", path: "Sources/Adapters/CSystemd"),
        .target(name: "CVipsShim", dependencies: ["CVips"], path: "Sources/Adapters/CVipsShim"),
        .target(name: "CLinux", path: "Sources/Adapters/CLinux"),
        .target(name: "CConfinement", path: "Sources/Adapters/CConfinement"),
        module(
            "LinuxPictures",
            ["Kernel", "Capabilities", "Pictures", "PictureWire", "LinuxTerminal", "CLinux"],
            path: "Sources/Adapters/LinuxPictures"
        ),
        module(
            "LinuxFiles",
            ["Kernel", "Commands", "Transfers", "FilesHost", "CLinux"],
            path: "Sources/Adapters/LinuxFiles"
        ),
        module(
            "LinuxTerminal",
            ["Kernel", "Commands", "CommandServer", "Terminal", "TerminalHost", "CLinux"],
            path: "Sources/Adapters/LinuxTerminal"
        ),
        module("QRCodes"),
        module("SystemTools", ["Kernel", "CommandServer", subprocess, system], path: "Sources/Adapters/SystemTools"),
        module(
            "LinuxDesktopTools",
            [
                "Kernel", "Capabilities", "Commands", "CommandServer", "Pictures", "Clipboard", "ClipboardHost",
                "Screen",
                "ScreenHost", "RemoteInput", "RemoteInputHost", "SystemTools", "LinuxBus", "CXCB", "CJPEG",
            ],
            path: "Sources/Adapters/LinuxDesktopTools"
        ),
        module(
            "LinuxSystemInfo",
            ["Kernel", "Capabilities", "CommandServer", "SystemInfo", "SystemInfoHost", "SystemTools"],
            path: "Sources/Adapters/LinuxSystemInfo"
        ),
        module(
            "LinuxQRCodes",
            [
                "Kernel", "CommandServer", "LinuxDesktopTools", "LinuxPictures", "Pictures", "QRCodes", "CQREncode",
                "CZBar",
            ],
            path: "Sources/Adapters/LinuxQRCodes"
        ),
        module("LinuxDiscovery", ["Kernel", "Transport", "CAvahi"], path: "Sources/Adapters/LinuxDiscovery"),
        module("LinuxNetwork", ["Transport", "CLinux", logging], path: "Sources/Adapters/LinuxNetwork"),
        module(
            "LinuxBus",
            ["Kernel", "DesktopNotifications", "LinuxTerminal", "CSystemd"],
            path: "Sources/Adapters/LinuxBus"
        ),
        module(
            "LinuxNotifications",
            [
                "Kernel", "Capabilities", "CommandServer", "DesktopNotifications", "Notifications", "NotificationsHost",
                "Pictures", "LinuxTerminal", "LinuxBus", logging, system,
            ],
            path: "Sources/Adapters/LinuxNotifications"
        ),
        module(
            "Control",
            ["Kernel", "Rights", "Storage", "Transport", asyncAlgorithms, nioCore, nioPosix, logging, lifecycle]
        ),

        // Benchmarks: not part of any product people install.
        .target(name: "CBenchmarkIO", path: "Benchmarks/CBenchmarkIO"),
        module("BenchmarkReport", path: "Benchmarks/BenchmarkReport"),
        .executableTarget(
            name: "pairing-adversary",
            dependencies: ["PairingTesting", arguments],
            path: "Benchmarks/PairingAdversary",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "session-benchmark",
            dependencies: [
                "BenchmarkReport", "Kernel", "Sealing", "Signaling", "SignalingServer", "Pairing", "SystemInfoHost",
                "TandemDesktop", "TandemPhone", arguments, logging,
            ],
            path: "Benchmarks/SessionBenchmark",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "relay-benchmark",
            dependencies: ["BenchmarkReport", "CBenchmarkIO", arguments],
            path: "Benchmarks/RelayBenchmark",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "chat-benchmark",
            dependencies: ["CBenchmarkIO", arguments],
            path: "Benchmarks/ChatBenchmark",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "journal-benchmark",
            dependencies: [
                "BenchmarkReport", "Kernel", "Storage", "Control", "Pictures", "Journal", grdb, arguments,
            ],
            path: "Benchmarks/JournalBenchmark",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "package-benchmark",
            dependencies: ["BenchmarkReport", "Kernel", "Archives", "MigrationContainer", crypto, arguments],
            path: "Benchmarks/PackageBenchmark",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "floods",
            dependencies: ["BenchmarkReport", "CBenchmarkIO", "Kernel", "Sealing", arguments],
            path: "Benchmarks/Floods",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "remote-benchmark",
            dependencies: ["BenchmarkReport", "Kernel", "Pairing", "TandemPhone", "LinuxFiles", arguments, logging]
                + remote,
            path: "Benchmarks/RemoteBenchmark",
            swiftSettings: settings
        ),

        // Compositions.
        module(
            "TandemHub",
            [
                "Kernel", "Sealing", "Storage", "Transport", "Signaling", "SignalingServer", "Control", "Capabilities",
                grdb,
                logging,
                metrics, lifecycle,
            ]
        ),
        module(
            "TandemDesktop",
            [
                "Kernel", "Rights", "Sealing", "Storage", "Transport", "Signaling", "SignalingServer", "Pairing",
                "Control", "Capabilities", "Commands", "CommandServer", "CommandClient", grdb, logging, lifecycle,
            ]
        ),
        module(
            "TandemPhone",
            [
                "Kernel", "Rights", "Sealing", "Storage", "Sections", "Transport", "Signaling", "Pairing", "Control",
                "Capabilities",
                "Commands", "CommandClient", "SystemInfo", "Clipboard", "Screen", "Files", "Terminal", "Threads",
                "Notifications", "SavedCommands", "Power", "RemoteInput", "PortForwarding", grdb, logging, lifecycle,
            ]
        ),
        // Homes in memory: the real compositions over signaling servers and databases in memory.
        module(
            "HomeTesting",
            [
                "Kernel", "Rights", "Sealing", "Storage", "Transport", "Signaling", "SignalingTesting",
                "SignalingServer", "Pairing", "Control", "Capabilities", "Commands", "CommandServer", "CommandClient",
                "TandemHub", "TandemDesktop", "TandemPhone", logging,
            ],
            path: "Tests/HomeTesting"
        ),
        // A running role in a browser on the same machine.
        .target(
            name: "TandemWeb",
            dependencies: [
                "Kernel", "Rights", "Principals", "Feed", "Commands", "CommandClient", "Control", "Storage",
                "Transport",
                "RouteServer", "QRCodes", "CZlib", crypto, nioCore, nioPosix, grdb, hummingbirdCore, logging, lifecycle,
            ],
            resources: [.copy("Page")],
            swiftSettings: settings
        ),
        // Every subcommand, as a library that tests run.
        module(
            "TandemCommands",
            [
                "ACME", "Kernel", "Rights", "Storage", "Transport", "SignalingServer", "Pairing", "TandemHub",
                "TandemDesktop", "TandemPhone", "TandemWeb", "QRCodes", "CLinux",
                "LinuxQRCodes", "LinuxPictures", "LinuxDiscovery", "LinuxNetwork", "LinuxFiles", "LinuxTerminal",
                "LinuxDesktopTools",
                "LinuxNotifications", "LinuxSystemInfo", "LinuxPorts", "LinuxAgents", "LinuxSavedCommands",
                "LinuxPower",
                "LinuxFolderWatch", "Bridge", "BridgeHost",
                "Push", "Accounts", "AccountsClient", "AccountsHub", "Chat", "ChatClient", "ChatHub", "WebClient",
                "NetworkWebClient", "Journal", "MigrationClient", "MigrationRestore",
                "Control", asyncAlgorithms, arguments, configuration, logging, metrics, lifecycle, signals, system,
            ] + remote
        ),
        .executableTarget(name: "tandem", dependencies: ["TandemCommands"], swiftSettings: settings),

        tests("KernelTests", ["Kernel", "KernelTesting"]),
        tests("ArchivesTests", ["Archives"], resources: [.copy("Fixtures")]),
        tests(
            "MigrationContainerTests",
            ["MigrationContainer", "Archives", "Kernel", "KernelTesting", crypto, subprocess],
            resources: [.copy("Fixtures")]
        ),
        tests(
            "AccountsTests",
            [
                "HomeTesting", "TandemHub", "Accounts", "AccountsClient", "AccountsHub", "WebClient",
                "WebClientTesting", "Sealing", "Principals", "Transport", "SignalingServer", crypto, metrics,
            ]
                + featureTests
        ),
        tests(
            "JournalTests",
            ["HomeTesting", "Archives", "Generations", "Pictures", "Transport", "Journal", "TandemPhone", crypto]
                + featureTests
        ),
        tests("FeedTests", ["Kernel", "KernelTesting", "Feed"]),
        tests("ChatTests", ["Kernel", "KernelTesting", "Accounts", "Chat"]),
        tests(
            "ChatSealingTests",
            ["Kernel", "KernelTesting", "Sealing", "Accounts", "Chat", "ChatSealing", crypto],
            resources: [.copy("Fixtures")]
        ),
        tests(
            "ChatClientTests",
            [
                "HomeTesting", "TandemHub", "TandemPhone", "Principals", "Sealing", "Transport", "Pictures",
                "WebClient",
                "WebClientTesting", "NetworkWebClient", "Accounts", "AccountsClient", "AccountsHub", "Blobs", "Chat",
                "ChatSealing", "ChatHub",
                "ChatClient", crypto,
            ]
                + featureTests
        ),
        tests(
            "ThreadsTests",
            ["FeatureTesting", "Conversations", "AgentHistory", "Agents", "ThreadIndex", "Threads", "ThreadsHost"]
                + featureTests
        ),
        tests(
            "NotificationsTests",
            ["FeatureTesting", "Notifications"] + featureTests,
            resources: [.copy("Fixtures")]
        ),
        tests(
            "NotificationsHostTests",
            ["FeatureTesting", "Notifications", "NotificationsHost", "NotificationsTesting"] + featureTests
        ),
        // A computer and its phones over a line that loses, for tests and for long runs.
        module(
            "NotificationsTesting",
            [
                "Kernel", "KernelTesting", "Rights", "Storage", "Commands", "CommandServer", "Notifications",
                "NotificationsHost", grdb, logging,
            ],
            path: "Tests/NotificationsTesting"
        ),
        tests("AgentHistoryTests", ["Kernel", "KernelTesting", "Conversations", "AgentHistory", "CZstd"]),
        tests(
            "AgentsTests",
            [
                "Kernel", "KernelTesting", "ProgramTesting", "Conversations", "AgentHistory", "Agents", "LinuxAgents",
                "CLinux", logging,
            ],
            resources: [.copy("Fixtures")]
        ),
        tests(
            "BridgeTests",
            [
                "Bridge", "BridgeHost", "Principals", "Transport", "RouteServer", "Sealing", "Pairing",
                "SignalingServer",
                "TandemDesktop", crypto,
                nioCore,
                nioPosix,
            ] + featureTests
        ),
        tests(
            "PushTests",
            ["Kernel", "KernelTesting", "WebClientTesting", "Push", crypto, nioCore, nioPosix, nioSSL, logging]
        ),
        tests(
            "ThreadIndexTests",
            [
                "Kernel", "KernelTesting", "Conversations", "AgentHistory", "ThreadIndex", "LinuxFolderWatch", "CZstd",
                grdb, logging,
            ]
        ),
        tests(
            "RightsTests",
            [
                "Rights", "CommandClient", "TandemPhone", "Clipboard", "Files", "Screen", "SystemInfo", "Terminal",
                "Threads", "Notifications", "RemoteInput",
            ]
        ),
        tests(
            "ChatHubTests",
            [
                "HomeTesting", "TandemHub", "Principals", "Sealing", "Transport", "Accounts", "AccountsHub", "Blobs",
                "Chat", "ChatSealing", "ChatHub", "Pictures", "Push", "SignalingServer", "WebClient",
                "WebClientTesting", crypto, metrics,
            ]
                + featureTests
        ),
        tests("PrincipalsTests", ["Kernel", "KernelTesting", "Principals"]),
        tests("SealingTests", ["Kernel", "Sealing", crypto], resources: [.copy("Fixtures")]),
        tests(
            "TransportTests",
            [
                "Kernel", "KernelTesting", "Sealing", "Storage", "Transport", "SignalingTesting", "WebClientTesting",
                nioCore,
                nioPosix, nioSSL,
                nioEmbedded, grdb, logging,
            ]
        ),
        tests(
            "SignalingTests",
            ["Kernel", "KernelTesting", "Sealing", "Transport", "Signaling", "SignalingTesting", nioCore, logging]
        ),
        tests("RouteServerTests", ["Transport", "RouteServer"]),
        tests(
            "SignalingServerTests",
            [
                "Kernel", "KernelTesting", "Sealing", "Storage", "Transport", "RouteServer", "SignalingServer", crypto,
                nioCore, nioPosix, nioEmbedded, grdb,
                hummingbird, hummingbirdCore, logging, lifecycle, coreMetrics,
            ],
            resources: [.copy("Fixtures")]
        ),
        tests(
            "PairingTests",
            [
                "Kernel", "KernelTesting", "Rights", "Sealing", "Storage", "Signaling", "SignalingTesting", "Pairing",
                "PairingTesting", "QRCodes", grdb, logging,
            ]
        ),
        tests(
            "TandemTests",
            [
                "Kernel", "Rights", "Sealing", "Transport", "Signaling", "SignalingServer", "Pairing", "TandemHub",
                "TandemDesktop", "TandemPhone", "Control", "LinuxTerminal", "LinuxFiles", "BridgeHost", "KernelTesting",
                "SignalingTesting", "Storage", "FeatureTesting", nioCore, nioPosix, grdb, logging,
            ] + remote
        ),
        tests(
            "CommandTests",
            [
                "ACME", "Sections", "Kernel", "KernelTesting", "Rights", "Sealing", "Storage", "SignalingServer",
                "Pairing",
                "QRCodes",
                "LinuxFiles", "LinuxTerminal", "Control", "TandemCommands", "TandemDesktop", "TandemHub", "TandemPhone",
                "TandemWeb", "Chat", "ChatClient", "Journal", "MigrationClient",
                arguments, grdb,
                logging,
            ] + remote
        ),
        tests(
            "HomeTests",
            [
                "Sections", "HomeTesting", "FeatureTesting", "Kernel", "KernelTesting", "Rights", "Sealing", "Storage",
                "Transport",
                "Signaling", "SignalingTesting", "Pairing", "Control",
                "TandemDesktop", "TandemPhone", "LinuxFiles", "LinuxFolderWatch", "Agents", "ThreadIndex", grdb,
                logging,
            ] + remote,
            resources: [.copy("Fixtures")]
        ),
        tests(
            "LibraryTests",
            [
                "TandemPhone", "Kernel", "Pairing", "SystemInfo", "FeatureTesting", "SystemInfoHost",
                "SignalingServer", "TandemDesktop", logging,
            ]
        ),
        tests(
            "TandemWebTests",
            [
                "Kernel", "KernelTesting", "Rights", "Control", "Storage", "Transport", "QRCodes", "TandemWeb",
                "HomeTesting", "FeatureTesting", "TandemDesktop", "TandemPhone", "Pairing", "LinuxFiles", crypto,
                nioCore,
                nioPosix,
                grdb, logging,
            ] + remote
        ),
        tests("StorageTests", ["Kernel", "Storage", grdb]),
        tests("GenerationsTests", ["Kernel", "KernelTesting", "Generations", "GenerationsTesting"]),
        tests(
            "MigrationJournalTests",
            [
                "Kernel", "Archives", "Pictures", "Generations", "Journal", "MigrationContainer", "MigrationRestore",
                "MigrationJournal", crypto,
            ]
        ),
        tests(
            "MigrationRestoreTests",
            [
                "Kernel", "KernelTesting", "Generations", "GenerationsTesting", "MigrationContainer",
                "MigrationRestore",
            ]
        ),
        tests("SectionsTests", ["Kernel", "KernelTesting", "Storage", "Sections", grdb]),
        tests("ControlTests", ["Kernel", "Control", nioCore, logging]),
        tests(
            "CapabilitiesTests",
            ["Kernel", "KernelTesting", "Capabilities", "Rights", "Control", "Storage", "Transport", logging]
        ),
        tests(
            "RemoteTests",
            [
                "Kernel", "KernelTesting", "Rights", "Sealing", "Storage", "Commands", "CommandServer", "CommandClient",
                "Clipboard", "ClipboardHost", "Files", "Terminal", "SystemInfoHost", "FeatureTesting", "TandemPhone",
                grdb, logging,
            ]
        ),
        // What the tests of features share: doubles of the system, and calls of a feature's methods.
        module(
            "FeatureTesting",
            [
                "Kernel", "KernelTesting", "Rights", "Storage", "Pictures", "Commands", "CommandServer",
                "CommandClient", "Clipboard", "ClipboardHost", "Screen", "ScreenHost", "SystemInfo", "SystemInfoHost",
                "Terminal", "TerminalHost", grdb, logging,
            ],
            path: "Tests/FeatureTesting"
        ),
        // A client that answers as a test says, and certificates of test servers.
        module("WebClientTesting", ["Kernel", "WebClient", crypto, nioSSL], path: "Tests/WebClientTesting"),
        tests(
            "WebClientTests",
            [
                "Kernel", "KernelTesting", "WebClient", "WebClientTesting", "NetworkWebClient", crypto, nioCore,
                nioPosix, nioSSL, subprocess,
            ]
        ),
        tests(
            "ACMETests",
            [
                "ACME", "Kernel", "KernelTesting", "WebClient", "WebClientTesting", "NetworkWebClient", crypto, x509,
                asn1,
                nioHTTP1, logging,
            ]
        ),
        // The feature that proves the joints: see docs/architecture.md.
        feature("Whiteboard", ["Feed"], in: "Tests", others: ["Host", "Hub"]),
        host("Whiteboard", ["Feed", "Transport", grdb], in: "Tests"),
        hub("Whiteboard", [grdb], in: "Tests"),
        tests(
            "WhiteboardTests",
            [
                "HomeTesting", "Whiteboard", "WhiteboardHost", "WhiteboardHub", "Sealing", "Transport", "Pairing",
                "TandemHub", "TandemDesktop", "TandemPhone",
            ] + featureTests
        ),
        tests(
            "MigrationClientTests",
            [
                "HomeTesting", "Archives", "Generations", "Journal", "MigrationClient", "MigrationContainer",
                "MigrationRestore", "MigrationTransfer", "Pairing", "Pictures", "Sealing", "Sections", "Signaling",
                "TandemHub", "TandemPhone", "Transport", crypto, nioCore, nioPosix,
            ]
                + featureTests
        ),
        tests(
            "MigrationTransferTests",
            [
                "MigrationTransfer", "Kernel", "KernelTesting", "Sealing", "Signaling", "SignalingTesting", crypto,
                logging,
            ]
        ),
        tests("TerminalTests", ["FeatureTesting", "Terminal", "TerminalHost"] + featureTests),
        tests("FilesTests", ["FeatureTesting", "Files", "FilesHost", "Transfers", "Sealing", crypto] + featureTests),
        tests(
            "BlobsTests",
            ["Kernel", "KernelTesting", "Storage", "Transport", "Transfers", "Blobs", crypto, grdb, logging]
        ),
        tests("ClipboardTests", ["FeatureTesting", "Clipboard", "ClipboardHost", "Pictures"] + featureTests),
        tests("RemoteInputTests", ["FeatureTesting", "RemoteInput", "RemoteInputHost"] + featureTests),
        tests("ScreenTests", ["FeatureTesting", "Screen", "ScreenHost", "Pictures"] + featureTests),
        tests("SystemInfoTests", ["FeatureTesting", "SystemInfo", "SystemInfoHost"] + featureTests),
        tests(
            "SavedCommandsTests",
            ["FeatureTesting", "SavedCommands", "SavedCommandsHost", "LinuxSavedCommands"] + featureTests
        ),
        tests(
            "PowerTests",
            ["FeatureTesting", "HomeTesting", "Pairing", "TandemPhone", "Power", "PowerHost", "LinuxPower"]
                + featureTests
        ),
        tests(
            "LinuxFilesTests",
            [
                "FeatureTesting", "Files", "FilesHost", "Pictures", "Transfers", "Transport", "LinuxFiles", "CLinux",
                crypto,
            ] + featureTests
        ),
        tests(
            "LinuxTerminalTests",
            [
                "Kernel", "KernelTesting", "Rights", "FeatureTesting", "Commands", "CommandServer", "Terminal",
                "TerminalHost", "LinuxTerminal", "CLinux",
            ]
        ),
        tests("LinuxNetworkTests", ["LinuxNetwork", "CLinux"]),
        tests("DesktopNotificationsTests", ["DesktopNotifications"]),
        tests(
            "LinuxNotificationsTests",
            [
                "Kernel", "KernelTesting", "Capabilities", "CommandServer", "DesktopNotifications",
                "LinuxBus", "LinuxNotifications",
                "LinuxDesktopTesting", "LinuxPictures", "Notifications", "NotificationsHost", "Pictures", "Power",
                "PowerHost", "LinuxPower", logging,
                subprocess,
            ]
        ),
        tests("QRCodesTests", ["QRCodes"]),
        tests("DiscoveryTests", ["Transport", "Sealing"]),
        tests(
            "LinuxDiscoveryTests",
            ["Sealing", "Kernel", "KernelTesting", "Transport", "LinuxDiscovery", subprocess]
        ),
        tests(
            "LinuxQRCodesTests",
            [
                "Kernel", "KernelTesting", "ProgramTesting", "QRCodes", "LinuxPictures", "LinuxQRCodes",
                "LinuxDesktopTesting", subprocess,
            ]
        ),
        // Scripts in the place of programs.
        module("ProgramTesting", [subprocess], path: "Tests/ProgramTesting"),
        // An X server for the tests above and below.
        module("LinuxDesktopTesting", ["Kernel", subprocess], path: "Tests/LinuxDesktopTesting"),
        tests(
            "LinuxDesktopToolsTests",
            [
                "Kernel", "KernelTesting", "FeatureTesting", "Capabilities", "CommandServer", "Pictures", "Clipboard",
                "ClipboardHost", "Screen", "ScreenHost", "RemoteInput", "RemoteInputHost", "SystemTools",
                "LinuxPictures", "LinuxBus", "LinuxDesktopTools", "LinuxDesktopTesting", "ProgramTesting", subprocess,
            ]
        ),
        tests("PictureWireTests", ["PictureWire"]),
        // They start the program tandem-pictures, which lies beside the tests.
        tests(
            "LinuxPicturesTests",
            [
                "Kernel", "KernelTesting", "Capabilities", "Pictures", "PictureWire", "LinuxPictures",
                "LinuxDesktopTesting", "ProgramTesting", subprocess, system,
            ]
        ),
        tests(
            "PortForwardingTests",
            [
                "HomeTesting", "FeatureTesting", "PortForwarding", "PortForwardingHost", "LinuxPorts", "Pairing",
                "SignalingTesting", "TandemDesktop", "TandemPhone", "Transport", nioCore, nioPosix,
            ] + featureTests
        ),
        tests(
            "LinuxSystemInfoTests",
            [
                "Kernel", "KernelTesting", "FeatureTesting", "Capabilities", "CommandServer", "SystemInfo",
                "SystemInfoHost",
                "SystemTools", "LinuxSystemInfo",
            ]
        ),
    ]
)

if isFuzzing {
    package.targets.append(
        .executableTarget(
            name: "tandem-fuzz",
            dependencies: [
                "ACME", "Kernel", "Sealing", "Transport", "RouteServer", "Signaling", "Pairing", "Commands",
                "CommandClient",
                "Conversations",
                "Agents", "AgentHistory", "Notifications", "Bridge", "Push", "DesktopNotifications", "Files", "Chat",
                "ChatClient", "ChatSealing", "Accounts", "Blobs", "Transfers", "Archives", "MigrationContainer",
                "MigrationTransfer", "WebClient", "PortForwarding", "RemoteInput", crypto,
                nioCore,
            ],
            path: "Fuzz",
            exclude: ["Seeds"],
            swiftSettings: settings,
            // lld, because gold fails on the sanitizer's debug sections.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
        )
    )
}
