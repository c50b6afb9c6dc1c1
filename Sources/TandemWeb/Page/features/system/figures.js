/**
 * What computers answer about themselves, as one shape: programs name the same thing differently, and leave out what they do not know.
 * Null where nothing is known.
 */

const LOOPBACK = new Set(['lo', 'lo0']);
const number = (...values) => values.find((value) => typeof value === 'number' && Number.isFinite(value)) ?? null;
const text = (...values) => values.find((value) => typeof value === 'string' && value !== '') ?? null;
const list = (value, one) => (Array.isArray(value) ? value : one ? [one] : []).filter((each) => each && typeof each === 'object').slice(0, 32);
const parts = (answer, topic) => ({ ...answer, ...(answer?.[topic] && typeof answer[topic] === 'object' ? answer[topic] : {}) });

/** Of `system.info`. */
export function figures(info) {
    const cpu = info?.cpu ?? {};
    return {
        processor: {
            usage: number(cpu.usage, cpu.usagePercent), model: text(cpu.model), cores: number(cpu.cores),
            speed: number(cpu.speedMhz, cpu.speed),
            load: Array.isArray(cpu.loadAverage) ? cpu.loadAverage.filter(Number.isFinite).slice(0, 3) : [],
        },
        memory: memory(info?.memory),
        disks: list(info?.disks, info?.disk).map(disk).filter((each) => each.total > 0),
        // What a computer says to itself goes over no network.
        networks: list(info?.networks, info?.network).map(network).filter(({ name }) => !LOOPBACK.has(name)),
        uptime: number(info?.uptime),
        at: number(info?.timestamp) ?? Date.now(),
        history: history(info?.history),
    };
}

/** Points that a computer hands over at most. */
const MOST_POINTS = 120;

/** The last minutes as a computer kept them, each series with as many points; null where it keeps none. */
function history(wire) {
    const step = number(wire?.stepSeconds);
    if (step === null || step <= 0 || step > 3600) return null;
    const series = ['cpu', 'memory', 'received', 'sent'].map((name) => (Array.isArray(wire[name]) ? wire[name].slice(-MOST_POINTS) : []));
    const count = Math.max(...series.map((each) => each.length));
    const [processor, used, down, up] = series.map((each) => [...Array(count - each.length).fill(null), ...each].map((value) => number(value) ?? NaN));
    return count > 0 ? { step: step * 1000, processor, memory: used, down, up } : null;
}

function memory(wire) {
    const total = number(wire?.total);
    const available = number(wire?.available, wire?.free);
    const used = number(wire?.used) ?? (total !== null && available !== null ? total - available : null);
    return { total, used, available, cached: number(wire?.cached) };
}

function disk(wire) {
    const total = number(wire.total);
    const free = number(wire.free);
    const used = number(wire.used) ?? (total !== null && free !== null ? total - free : null);
    return { name: text(wire.mountPoint, wire.mount, wire.device) ?? '', kind: text(wire.type), total, free, used };
}

function network(wire) {
    return {
        name: text(wire.interface, wire.interfaceName, wire.name) ?? '', address: text(wire.ipv4, wire.ip, wire.ipv6),
        received: number(wire.bytesReceived, wire.received), sent: number(wire.bytesSent, wire.sent), isUp: wire.up !== false,
    };
}

/** Of `sysinfo.getTemperature`, in degrees Celsius. */
export function temperature(answer) {
    const wire = parts(answer, 'temperature');
    return number(wire.main, wire.cpu, wire.max);
}

/** Of `sysinfo.getMemory`: its swap. */
export function swap(answer) {
    return { total: number(answer?.swap?.total), used: number(answer?.swap?.used) };
}

/** Of `sysinfo.getBattery`. */
export function batteries(answer) {
    const wire = parts(answer, 'battery');
    if (wire.hasBattery === false || wire.present === false) return [];
    const all = list(wire.batteries, number(wire.percent, wire.level) === null ? null : wire);
    return all.map((each) => ({
        name: text(each.name), percent: number(each.percent, each.level), seconds: number(each.timeRemaining),
        state: text(each.status) ?? (each.charging || each.isCharging ? 'charging' : 'discharging'),
    })).filter((each) => each.percent !== null);
}

/** Of `system.getInfo`. */
export function program(answer) {
    return {
        program: [text(answer?.appName), text(answer?.version)].filter(Boolean).join(' ') || null,
        system: [text(answer?.osName), text(answer?.osVersion)].filter(Boolean).join(' ') || text(answer?.platform),
        kernel: text(answer?.kernel), architecture: text(answer?.arch), host: text(answer?.hostname),
    };
}

/** Bytes a second between two readings, of all interfaces together. Null where a counter began anew. */
export function rates(former, latest) {
    const seconds = former ? (latest.at - former.at) / 1000 : 0;
    if (seconds <= 0) return { down: null, up: null };
    const rate = (member) => {
        const sum = (reading) => reading.networks.reduce((total, each) => total + (each[member] ?? 0), 0);
        const difference = sum(latest) - sum(former);
        return latest.networks.length === 0 || difference < 0 ? null : difference / seconds;
    };
    return { down: rate('received'), up: rate('sent') };
}
