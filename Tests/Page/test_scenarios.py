"""The scenarios of Tests/Scenarios, played to the page's own code in Node. Swift's tests play the same files."""

import json
import pathlib
import unittest

from test_threads_parts import node

SCENARIOS = pathlib.Path(__file__).resolve().parent.parent / "Scenarios"

FOLLOWER = """
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    const play = async ({ steps }) => {
        const questions = [];
        const said = [];
        const all = new follower.Follower({
            get: (params) => new Promise((resolve) => questions.push({ asked: params.after ?? null, resolve })), changed: () => {}, failed: (error) => said.push(String(error)),
        });
        const opened = all.open();
        for (const [at, step] of steps.entries()) {
            await settled();
            if (step.event) all.receive(step.event);
            else if (step.answer) {
                const question = questions.shift();
                if (!question && step.needed !== false) said.push(`step ${at}: nothing was asked`);
                if (question && question.asked !== step.asks) said.push(`step ${at}: asked behind ${question.asked}`);
                question?.resolve(step.answer);
            } else {
                if (questions.length > 0) said.push(`step ${at}: something is asked that nobody answers`);
                const shown = all.items.map(({ id }) => id);
                if (shown.join() !== step.shows.join()) said.push(`step ${at}: shows ${shown}`);
            }
        }
        return said;
    };
    const said = {};
    for (const scenario of SCENARIOS) said[scenario.name] = await play(scenario);
    console.log(JSON.stringify(said));
"""


class ScenarioTests(unittest.TestCase):
    maxDiff = None

    def test_a_threads_follower_shows_everything_once_and_asks_for_nothing_that_it_has(self):
        scenarios = (SCENARIOS / "threads.json").read_text(encoding="utf-8")
        self.assertGreaterEqual(len(json.loads(scenarios)), 10)
        said = node(FOLLOWER.replace("SCENARIOS", scenarios), "follower")
        self.assertEqual({name: found for name, found in said.items() if found}, {})


if __name__ == "__main__":
    unittest.main()
