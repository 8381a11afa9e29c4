import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fourFreePorts } from '#test/support/free-ports.ts';

// biome-ignore lint/style/noProcessEnv: blocks run with the tools of this machine.
const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;

export type Run = {
  readonly code: number | null;
  readonly out: string;
  /** What programs complained about. */
  readonly complaints: string;
  /** `200 GET http://…`, for each response that curl got. */
  readonly responses: readonly string[];
};

/** Reports each response on stderr, beside whatever the block does with it. */
const CURL = `#!/bin/sh
exec CURL -w '%{stderr}@@ %{http_code} %{method} %{url_effective}\\n' "$@"
`;
/** The packages of the running test are installed, and must not be replaced under it. */
const NPM = `#!/bin/sh
[ "$1" = ci ] || exec NPM "$@"
`;

function programOf(name: string): string {
  const path = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
  if (path === '') throw new Error(`The documents use ${name}, and this machine has none.`);
  return path;
}

/** A fresh host with a folder of its own, and shells whose documents' addresses lead to it. */
export async function documentShell() {
  const folder = mkdtempSync(join(tmpdir(), 'payfork-documents-'));
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  for (const [name, script] of Object.entries({ curl: CURL, npm: NPM })) {
    writeFileSync(join(programs, name), script.replace(name.toUpperCase(), programOf(name)));
    chmodSync(join(programs, name), 0o755);
  }
  const port = await fourFreePorts();
  const env = {
    PATH: `${programs}${delimiter}${PATH}`,
    HOME,
    NODE_COMPILE_CACHE,
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
  };
  let host: ChildProcess | undefined;

  /** Runs a command that starts the host, until it serves. The host of the command before has been stopped. */
  async function start(command: string): Promise<string> {
    const child = spawn('sh', ['-c', command], { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    host = child;
    return new Promise((resolve) => {
      const lines = createInterface({ input: child.stdout });
      lines.on('line', (line) => line.startsWith('ready ') && resolve(line));
      lines.once('close', () => resolve('the host has ended'));
    });
  }

  async function stop(): Promise<void> {
    const child = host;
    host = undefined;
    if (child?.pid === undefined || child.exitCode !== null) return;
    // Closed, not only ended: the shell ends before the host that it started, and the host holds its folder.
    const closed = once(child, 'close');
    process.kill(-child.pid, 'SIGTERM');
    await closed;
  }

  /** Each shell is a fresh one. It ends at the first command that fails. */
  function run(shell: 'bash' | 'sh', text: string): Run {
    const { status, stdout, stderr } = spawnSync(shell, ['-e', '-u', '-c', text], {
      env,
      encoding: 'utf8',
      // With a socket as its input, bash would read the settings of a remote shell.
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const lines = stderr.split('\n');
    return {
      code: status,
      out: stdout,
      complaints: lines.filter((line) => !line.startsWith('@@ ')).join('\n'),
      responses: lines.filter((line) => line.startsWith('@@ ')).map((line) => line.slice(3)),
    };
  }

  return {
    port,
    run,
    start,
    stop,
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a text where these programs do nothing: what is left to fail are its own variables, functions and syntax. */
export function runWithStandIns(programs: readonly string[], text: string): Pick<Run, 'code' | 'complaints'> {
  const folder = mkdtempSync(join(tmpdir(), 'payfork-documents-'));
  try {
    for (const name of programs) writeFileSync(join(folder, name), '#!/bin/sh\necho null\n', { mode: 0o755 });
    const { status, stderr } = spawnSync('bash', ['-e', '-u', '-c', text], {
      env: { PATH: `${folder}${delimiter}${PATH}` },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { code: status, complaints: stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
