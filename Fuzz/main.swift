import Foundation

// libFuzzer's own entry point, so that one program can hold every target. See bin/fuzz.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

guard CommandLine.argc > 1, CommandLine.arguments[1] != "--list" else {
    print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    exit(0)
}
guard let chosen = FuzzTarget.all.first(where: { $0.name == CommandLine.arguments[1] }) else {
    FileHandle.standardError.write(Data("There is no target \(CommandLine.arguments[1]). --list names them.\n".utf8))
    exit(2)
}

// The callback is a C function and captures nothing, so what it runs stands here.
private let target = chosen

// The driver sees the arguments behind the target's name.
var arguments = CommandLine.unsafeArgv
arguments[1] = arguments[0]
arguments += 1
var argumentCount = CommandLine.argc - 1
exit(
    runDriver(&argumentCount, &arguments) { bytes, count in
        target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
)
