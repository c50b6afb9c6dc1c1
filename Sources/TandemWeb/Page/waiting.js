/**
 * Keeps the number of commands that wait on the navigation.
 *
 * @param {import('./client/client.js').Client} client
 * @param {{badge(path: string, count: number): void}} chrome
 * @returns {() => void} Stops it.
 */
export function countWaiting(client, chrome) {
    const count = async () => {
        // Without an answer the number stays what it was: the screen of the queue says what is the matter.
        const answer = await client.call('queue.list').catch(() => null);
        if (answer) chrome.badge('/queue', answer.commands.length);
    };
    const stops = ['queue', 'reset'].map((topic) => client.events(topic, count));
    count();
    return () => stops.forEach((stop) => stop());
}
