/** Lets the page open without the program. What was asked for before there was a worker did not go through it: it is told. */
export async function keepShell() {
    if (!('serviceWorker' in navigator)) return;
    const worker = navigator.serviceWorker;
    if (worker.controller) return;
    const claimed = new Promise((resolve) => { worker.addEventListener('controllerchange', resolve, { once: true }); });
    await worker.register('/sw.js');
    if (!worker.controller) await claimed;
    const until = performance.now();
    const tell = (entries) => worker.controller?.postMessage({
        store: entries.filter(({ startTime }) => startTime <= until).map(({ name }) => name),
    });
    worker.controller?.postMessage({ store: ['/'] });
    // Also those that are still on their way.
    new PerformanceObserver((list) => tell(list.getEntries())).observe({ type: 'resource', buffered: true });
}
