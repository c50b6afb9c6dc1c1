/** Runs a script of this folder in Node: its name, and what its `run` is given. What that answers is printed as JSON. */
const [name, ...values] = process.argv.slice(2);
const { run } = await import(`./${name}`);
console.log(JSON.stringify(await run(...values.map((value) => JSON.parse(value)))));
// A test's clock may hold timers of sessions that go on.
process.exit();
