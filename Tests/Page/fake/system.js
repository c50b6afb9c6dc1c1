const GB = 1_000_000_000;

/**
 * How a computer is doing. Scenarios: `bare` (says hardly anything), `old` (keeps no history), `refused`, `away`, `busy`.
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    const check = () => {
        if (scenario.has('away')) fake.fail('away', 'studio-pc is not connected.');
        if (scenario.has('refused')) fake.fail('not-allowed', 'This phone may not see that.', { right: 'system.info' });
    };
    let turn = 0;
    let [received, sent] = [48.2 * GB, 6.1 * GB];
    fake.remote('system.info', ({ history }) => {
        check();
        turn += 1;
        if (scenario.has('bare')) return { success: true, cpu: {}, memory: { total: 8 * GB }, uptime: null };
        received += (1.6 + Math.sin(turn / 3)) * 4_000_000;
        sent += (1.2 + Math.cos(turn / 5)) * 700_000;
        const usage = Math.round((34 + 22 * Math.sin(turn / 4) + 8 * Math.sin(turn * 2.3)) * 10) / 10;
        const used = (11.2 + 0.6 * Math.sin(turn / 9)) * GB;
        return {
            ...(history && !scenario.has('old') && { history: minutes() }), success: true, timestamp: Date.now() + turn * 5000, uptime: 11 * 86_400 + 4 * 3600,
            cpu: { usage, usagePercent: usage, cores: 16, model: 'AMD Ryzen 7 7840U with Radeon 780M Graphics', loadAverage: [1.42, 1.1, 0.87], speedMhz: 3301 },
            memory: { total: 33.3 * GB, used, free: 33.3 * GB - used, available: 33.3 * GB - used, cached: 9.4 * GB, usagePercent: 34 },
            disks: [
                { total: 982 * GB, used: 611 * GB, free: 321 * GB, usagePercent: 66, mountPoint: '/', device: '/dev/nvme0n1p2', type: 'ext4' },
                { total: 4000 * GB, used: 3810 * GB, free: 190 * GB, usagePercent: 95, mountPoint: '/media/ada/Archiv 归档', device: '/dev/sda1', type: 'btrfs' },
            ],
            networks: [
                { interface: 'wlp1s0', ipv4: '192.168.7.20', bytesReceived: received, bytesSent: sent, up: true },
                { interface: 'enp2s0', bytesReceived: 0, bytesSent: 0, up: false },
            ],
        };
    });
    if (scenario.has('bare')) return;
    fake.remote('sysinfo.getTemperature', () => ({ success: true, temperature: { available: true, main: 58.5, max: 61 } }));
    fake.remote('sysinfo.getMemory', () => ({ success: true, memory: { total: 33.3 * GB }, swap: { total: 8.6 * GB, used: 0.4 * GB, free: 8.2 * GB } }));
    fake.remote('sysinfo.getBattery', () => ({
        success: true, hasBattery: true, battery: { hasBattery: true, batteries: [{ name: 'BAT0', percent: 81, status: 'discharging', timeRemaining: 11_400 }] },
    }));
    fake.remote('system.getInfo', () => ({
        success: true, appName: 'Tandem', version: '0.9.0', platform: 'linux', arch: 'x86_64', hostname: 'studio-pc', osName: 'Debian GNU/Linux', osVersion: '14', kernel: '6.18.4-amd64',
    }));
}

/** Five minutes, a point each five seconds; one of them was not measured. */
function minutes() {
    const series = (value) => Array.from({ length: 60 }, (_, at) => (at === 31 ? null : Math.round(value(at) * 10) / 10));
    return {
        stepSeconds: 5, timestamp: Date.now(), cpu: series((at) => 34 + 22 * Math.sin(at / 4) + 8 * Math.sin(at * 2.3)), memory: series((at) => 33.6 + 1.8 * Math.sin(at / 9)),
        received: series((at) => (1.6 + Math.sin(at / 3)) * 800_000), sent: series((at) => (1.2 + Math.cos(at / 5)) * 140_000),
    };
}
