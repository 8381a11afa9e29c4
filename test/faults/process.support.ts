import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { HostInfo } from '#lib/local/host-info.ts';
import { type ApiResponse, accepted, type Body } from '#test/support/host.ts';
import { hostStore } from '#test/support/host-store.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

type Started = {
  readonly child: ChildProcess;
  /** Its standard output so far. */
  readonly stdout: () => string;
  readonly ready: Promise<boolean>;
  /** Its exit code and standard error. */
  readonly ended: Promise<{ readonly code: number | null; readonly complaint: string }>;
};

const running = new Set<ChildProcess>();

// biome-ignore lint/style/noProcessEnv: where Java and compiled code are found is this machine's business.
const { PATH, NODE_COMPILE_CACHE } = process.env;

/** `npm start` as a process of its own, on the store of this run. */
export function start(port: number, dataDir: string): Started {
  const env = {
    PORT: String(port),
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    STORE: hostStore().store,
    PATH,
    NODE_COMPILE_CACHE,
  };
  const child = spawn(process.execPath, ['bin/local.ts'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const lines: string[] = [];
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk;
  });
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { code: code as number | null, complaint };
  });
  const ready = new Promise<boolean>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (line.startsWith('ready ')) resolve(true);
    });
    void ended.then(() => resolve(false));
  });
  return { child, stdout: () => lines.join('\n'), ready, ended };
}

/** Processes that a failed test left behind. */
export function endAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

export type Running = Started & {
  readonly info: HostInfo;
  readonly call: (method: string, path: string, body?: unknown, idempotencyKey?: string) => Promise<ApiResponse>;
  readonly control: (method: string, path: string, body?: unknown) => Promise<Body>;
  /** Like a power cut: the process gets no signal it could handle. */
  readonly kill: () => Promise<void>;
};

export async function startReady(port: number, dataDir: string): Promise<Running> {
  const started = start(port, dataDir);
  if (!(await started.ready)) throw new Error((await started.ended).complaint);
  const info: HostInfo = JSON.parse(readFileSync(join(dataDir, 'info.json'), 'utf8'));
  return {
    ...started,
    info,
    call: (method, path, body, idempotencyKey) =>
      request(method, info.api + path, body, {
        authorization: `Bearer ${info.keys.service}`,
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      }),
    control: async (method, path, body) =>
      accepted(`${method} ${path}`, await request(method, `http://127.0.0.1:${port + 2}${path}`, body)).body,
    kill: async () => {
      started.child.kill('SIGKILL');
      await started.ended;
    },
  };
}

async function request(
  method: string,
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiResponse> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const reply = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...sent,
  });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, body: JSON.parse(text), text };
}

/** Polls until the condition holds, because another process takes its own time. */
export async function eventually(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await sleep(10);
}

export type Receiver = {
  readonly url: string;
  /** 0: no response at all. */
  answer: number;
  readonly got: { readonly event: Body; readonly status: number }[];
  readonly close: () => void;
};

/** An organization's own server, which survives the host's process. */
export async function startReceiver(): Promise<Receiver> {
  const got: Receiver['got'] = [];
  const server = createServer(async (message, response) => {
    const event = JSON.parse(Buffer.concat(await message.toArray()).toString());
    got.push({ event, status: receiver.answer });
    if (receiver.answer > 0) response.writeHead(receiver.answer).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    answer: 200,
    got,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
