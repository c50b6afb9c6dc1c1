import ArgumentParser

@main struct Tandem: AsyncParsableCommand { mutating func run() async throws {} }
