import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { promisify } from 'node:util';

/** This machine's environment, but for what could lead to a real account. */
// biome-ignore lint/style/noProcessEnv: the drill uses the tools of this machine.
const INHERITED = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_')));

type Where = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>>; readonly path?: string };

const environmentOf = ({ env = {}, path = '' }: Where) => ({
  ...INHERITED,
  ...env,
  ...(path !== '' && { PATH: `${path}:${INHERITED.PATH ?? ''}` }),
});

/** A program that must succeed. Otherwise its last lines are the error. */
export async function run(program: string, args: readonly string[], where: Where = {}): Promise<string> {
  const options = { cwd: where.cwd, env: environmentOf(where), maxBuffer: 256 * 1024 * 1024 };
  try {
    return (await promisify(execFile)(program, [...args], options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-12).join('\n');
    throw new Error(`${program} ${args.slice(0, 3).join(' ')} failed: ${said || String(error)}`, { cause: error });
  }
}

/** A program that may fail. Returns what it says to anybody, in the order in which it does. */
export function tryRun(program: string, args: readonly string[], where: Where = {}): Promise<{ readonly out: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], {
      cwd: where.cwd,
      env: environmentOf(where),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        out += chunk;
      });
    child.once('error', reject).once('close', () => resolve({ out }));
  });
}

/** A program that runs until it is stopped, in a process group of its own, with what it says in a file. */
export function start(program: string, args: readonly string[], log: string, where: Where = {}): ChildProcess {
  const file = openSync(log, 'w');
  return spawn(program, [...args], {
    cwd: where.cwd,
    env: environmentOf(where),
    detached: true,
    stdio: ['ignore', file, file],
  });
}

/** Ends the whole group: the functions of the emulator are processes too. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), 5_000);
  await ended;
  clearTimeout(timer);
}
