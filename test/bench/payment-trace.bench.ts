import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';

/**
 * How far one successful `POST /v1/payments` walks through the code: counted, not timed, so it is the same on every
 * machine. The local host runs in memory; after two payments as a warm-up the third one is traced, over HTTP, with a
 * card at the Stripe simulator.
 *
 *   files         files of `shared/` and `functions/` of which at least one function was called
 *   room changes  consecutive function calls that lie in different rooms; a room is a folder two levels deep
 *                 (`shared/domain`, `shared/store`, `functions/payments`)
 *   folders       the same with every folder as a room of its own (`shared/domain/payments`)
 *
 * Only calls in the asynchronous context of this request count, from its arrival to its response: neither the relay,
 * the projector and callbacks that run beside it, nor the local host itself and the simulator (`lib/`).
 * `--list` prints the files and the way through the rooms. The parser is that of `vite`, which comes with vitest.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COUNTED = /^(shared|functions)\/.*\.ts$/;
const PATH = '/v1/payments';

type Call = { readonly file: string; readonly name: string };
type Node = { readonly type: string; readonly start: number; readonly end: number };
type Named = { readonly id?: { readonly name?: string } | null; readonly key?: { readonly name?: string } };
type FunctionNode = Node & { readonly body: Node; readonly params: readonly Node[] };

const request = new AsyncLocalStorage<Call[]>();
const functions: Call[] = [];

/** Called at the start of every counted function. */
Object.assign(globalThis, {
  tracedCall: (n: number) => {
    const call = functions[n];
    if (call) request.getStore()?.push(call);
  },
});

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const isFunction = (node: Node): node is FunctionNode =>
  ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'].includes(node.type);
const nameOf = ({ id, key }: Named): string | undefined => id?.name ?? key?.name;

/** The source with a call of `tracedCall` at the start of each function. */
function instrumented(source: string, file: string): string {
  const inserted: (readonly [at: number, text: string])[] = [];
  const add = ({ start, end, body, params }: FunctionNode, name: string) => {
    const n = functions.push({ file, name }) - 1;
    if (source[body.start] === '{' && body.type !== 'ObjectExpression') {
      inserted.push([body.start + 1, `tracedCall(${n});`]);
      return;
    }
    const arrow = source.indexOf('=>', params.at(-1)?.end ?? start);
    inserted.push([arrow + 2, `(tracedCall(${n}),`], [end, ')']);
  };
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, name);
    if (!isNode(value)) return;
    const own = nameOf(value as Named) ?? name;
    if (isFunction(value)) add(value, own);
    for (const child of Object.values(value)) visit(child, own);
  };
  visit(parseAst(source), '');
  inserted.sort(([a], [b]) => b - a);
  return inserted.reduce((text, [at, more]) => text.slice(0, at) + more + text.slice(at), source);
}

registerHooks({
  load: (url, context, next) => {
    const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : '';
    if (!COUNTED.test(file)) return next(url, context);
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
    return { format: 'module', shortCircuit: true, source: instrumented(source, file) };
  },
});

/** The calls of one payment, in order. */
async function tracePayment(): Promise<readonly Call[]> {
  const { startHost } = await import('#test/support/host.ts');
  const host = await startHost({ rateLimits: true });
  const calls: Call[] = [];
  let isTracing = false;
  subscribe('http.server.request.start', (message) => {
    const { request: received } = message as { readonly request: IncomingMessage };
    if (isTracing && received.url === PATH) request.enterWith(calls);
  });
  const pay = async () => {
    const { body } = await host.call('POST', PATH, {
      amount: 4_900,
      currency: 'EUR',
      metadata: { order: '1001' },
      payment_method: { type: 'card', token: 'ok' },
    });
    if (body.status !== 'succeeded') throw new Error(`The payment did not succeed: ${JSON.stringify(body)}`);
  };
  await pay();
  await pay();
  await host.drain();
  isTracing = true;
  await pay();
  isTracing = false;
  const traced = [...calls];
  await host.close();
  return traced;
}

const roomOf = ({ file }: Call): string => file.split('/').slice(0, 2).join('/');
const folderOf = ({ file }: Call): string => file.split('/').slice(0, -1).join('/');

const changes = (calls: readonly Call[], placeOf: (call: Call) => string): number =>
  calls.filter((call, n) => n > 0 && placeOf(call) !== placeOf(calls[n - 1] ?? call)).length;

/** Stays in one room, each with the functions called there. */
function stays(calls: readonly Call[]): readonly string[] {
  const lines: { readonly room: string; readonly called: Set<string> }[] = [];
  for (const call of calls) {
    if (lines.at(-1)?.room !== roomOf(call)) lines.push({ room: roomOf(call), called: new Set() });
    lines.at(-1)?.called.add(`${call.file.slice(roomOf(call).length + 1, -'.ts'.length)}:${call.name}`);
  }
  return lines.map(({ room, called }, n) => `${String(n).padStart(3)} ${room}  ${[...called].join(' ')}`);
}

const calls = await tracePayment();
const files = Map.groupBy(calls, ({ file }) => file);
if (process.argv.includes('--list')) {
  for (const [file, own] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) console.log(`${own.length}\t${file}`);
  for (const line of stays(calls)) console.log(line);
}
console.log(
  `POST ${PATH}: ${files.size} files, ${changes(calls, roomOf)} room changes, ` +
    `${changes(calls, folderOf)} folder changes, ${calls.length} function calls`,
);
process.exit(0);
