import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type HostInfo = {
  readonly api: string;
  readonly simulators: string;
  readonly keys: { readonly secret: string };
};

/** CPU time in ms: of the simulators' thread, and of all other threads of the process. */
export type CpuTime = { readonly service: number; readonly simulators: number };

export type PaymentHost = {
  readonly info: HostInfo;
  readonly startMs: number;
  /** `undefined` where the system does not tell (it does on Linux). */
  readonly cpu: () => CpuTime | undefined;
  readonly memoryMb: () => number | undefined;
  readonly stop: () => void;
};

/** The unit of /proc, which is the same on every Linux. */
const TICK_MS = 10;
/** Threads' names are cut. */
const SIMULATORS = 'simulators';

/** `npm start` of the checkout in this folder, in a process of its own, with its data in files. */
export async function startPaymentHost(checkout: string, port: number): Promise<PaymentHost> {
  const dataDir = mkdtempSync(join(tmpdir(), 'payfork-bench-'));
  // Settings of this shell are not passed on.
  const env = { PORT: String(port), DATA_DIR: dataDir, RATE_LIMITS: 'off' };
  const begun = performance.now();
  const child = spawn(process.execPath, ['bin/start.mjs'], {
    cwd: checkout,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes('ready ') && resolve());
    child.on('exit', (code) => reject(new Error(`The host of ${checkout} ended with ${code}.`)));
  });
  const proc = `/proc/${child.pid}`;
  return {
    info: JSON.parse(readFileSync(join(dataDir, 'info.json'), 'utf8')) as HostInfo,
    startMs: performance.now() - begun,
    cpu: () => orUndefined(() => cpuTime(proc)),
    memoryMb: () =>
      orUndefined(() => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`${proc}/status`, 'utf8'))?.[1]) / 1_024),
    stop: () => {
      child.removeAllListeners('exit');
      child.kill('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function cpuTime(proc: string): CpuTime {
  const threads = readdirSync(`${proc}/task`).flatMap(
    (id) => orUndefined(() => threadTime(`${proc}/task/${id}`)) ?? [],
  );
  const sum = (ofSimulators: boolean) =>
    threads.filter(({ name }) => (name === SIMULATORS) === ofSimulators).reduce((total, { ms }) => total + ms, 0);
  return { service: sum(false), simulators: sum(true) };
}

/** The name stands in brackets and may contain anything; user and system time are the 12th and 13th field after it. */
function threadTime(thread: string): { readonly name: string; readonly ms: number } {
  const stat = readFileSync(`${thread}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
    ms: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
  };
}

/** A thread may end while it is looked at, and other systems have no /proc. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
