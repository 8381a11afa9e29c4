import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { HostInfo } from '#lib/local/host-info.ts';
import { accepted, type Body } from '#test/support/host.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The commit of the last release. Whoever releases writes the new one here. */
export const LAST_RELEASE = '76b0fef95d2895cb54e73fd984f31b67a0cfdb8c';

const run = promisify(execFile);

/** Whether this clone has the last release's code. A shallow one has not. */
export async function hasLastRelease(): Promise<boolean> {
  return run('git', ['cat-file', '-e', `${LAST_RELEASE}^{commit}`], { cwd: ROOT }).then(
    () => true,
    () => false,
  );
}

/** Whether this is a shallow clone, or none at all. */
export async function isWithoutHistory(): Promise<boolean> {
  return run('git', ['rev-parse', '--is-shallow-repository'], { cwd: ROOT }).then(
    ({ stdout }) => stdout.trim() === 'true',
    () => true,
  );
}

/** Writes the last release's code into this folder, with the packages of this one. */
export async function unpackLastRelease(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const archive = `${folder}.tar`;
  const parts = ['bin', 'functions', 'lib', 'shared', 'package.json', 'openapi*.json'];
  await run('git', ['archive', '--format=tar', '-o', archive, LAST_RELEASE, ...parts], { cwd: ROOT });
  await run('tar', ['-xf', archive, '-C', folder]);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

export type Response = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
};

export type HowToCall = {
  /** By default the demo organization's service key; none for `null`. */
  readonly key?: string | null;
  readonly idempotencyKey?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

export type ReleaseHost = {
  readonly info: HostInfo;
  readonly call: (method: string, path: string, body?: unknown, how?: HowToCall) => Promise<Response>;
  readonly control: (method: string, path: string, body?: unknown) => Promise<Body>;
  /** As a power cut does: nothing that is under way is finished. */
  readonly kill: () => Promise<void>;
};

// biome-ignore lint/style/noProcessEnv: where compiled code is found is this machine's business.
const { PATH, NODE_COMPILE_CACHE } = process.env;

/** `npm start` of the code in this folder, as a process of its own. */
export async function startRelease(root: string, port: number, dataDir: string): Promise<ReleaseHost> {
  const env = { PORT: String(port), DATA_DIR: dataDir, RATE_LIMITS: 'off', PATH, NODE_COMPILE_CACHE };
  const child = spawn(process.execPath, ['bin/local.ts'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk;
  });
  const ended = once(child, 'close');
  const ready = new Promise<boolean>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('ready ') && resolve(true));
    void ended.then(() => resolve(false));
  });
  if (!(await ready)) throw new Error(`The host of ${root} did not start: ${complaint}`);
  const info: HostInfo = JSON.parse(await readFile(join(dataDir, 'info.json'), 'utf8'));
  return {
    info,
    call: (method, path, body, how = {}) => request(method, info.api + path, body, headersOf(method, info, how)),
    control: async (method, path, body) =>
      accepted(`${method} ${path}`, await request(method, `http://127.0.0.1:${port + 2}${path}`, body, {})).body,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function headersOf(
  method: string,
  info: HostInfo,
  { key, idempotencyKey, headers }: HowToCall,
): Record<string, string> {
  const usual = method === 'GET' ? null : randomUUID();
  const claimed = idempotencyKey === undefined ? usual : idempotencyKey;
  const credential = key === undefined ? info.keys.service : key;
  return {
    ...(credential !== null && { authorization: `Bearer ${credential}` }),
    ...(claimed !== null && { 'idempotency-key': claimed }),
    ...headers,
  };
}

async function request(method: string, url: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const reply = await fetch(url, { method, headers: { ...type, ...headers }, ...sent, redirect: 'manual' });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, text, body: parsed(text) };
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
