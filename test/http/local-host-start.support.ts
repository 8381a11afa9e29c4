import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

// biome-ignore lint/style/noProcessEnv: where compiled code is found is this machine's business.
const { NODE_COMPILE_CACHE } = process.env;

const children: ChildProcess[] = [];

/** For `afterEach`. */
export function killStarted(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL');
}

/** A process of its own, as `npm start` starts it. */
export async function start(env: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const child = spawn(process.execPath, ['bin/local.ts', ...args], {
    env: { ...env, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const ended = once(child, 'close').then(([code]) => Number(code));
  const lines: string[] = [];
  const first = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      resolve(line);
    });
  });
  const complaint = child.stderr.toArray().then((chunks) => Buffer.concat(chunks).toString());
  return { child, ended, lines, complaint, first: Promise.race([first, ended.then(() => '')]) };
}
