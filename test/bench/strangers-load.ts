import { Agent, request } from 'node:http';

/**
 * Runs in a process of its own: strangers who send requests at a fixed rate, whether they are answered or not.
 * `node test/bench/strangers-load.ts <api> <per second> <seconds> <headers…>`, each of `headers` a JSON object of one
 * kind of stranger; `{random}` in it is replaced by other letters each time. Prints one line: JSON of the responses
 * by status.
 */
const [api = '', rate = '0', seconds = '0', ...kinds] = process.argv.slice(2);
const PER_TICK_MS = 5;
/** A process that got no processor for a while does not send all that it has missed at once. */
const MAX_PER_TICK = 3 * Math.ceil((Number(rate) * PER_TICK_MS) / 1_000);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const statuses: Record<string, number> = {};
let [sent, missed] = [0, 0];

const count = (status: string) => {
  statuses[status] = (statuses[status] ?? 0) + 1;
};

function letters(): string {
  return Array.from({ length: 32 }, () => Math.floor(Math.random() * 36).toString(36)).join('');
}

function send(): void {
  const kind = kinds[sent % kinds.length] ?? '{}';
  sent += 1;
  const headers = { ...JSON.parse(kind.replaceAll('{random}', letters())), 'content-type': 'application/json' };
  request(`${api}/v1/payments`, { method: 'POST', agent, headers }, (reply) => {
    reply.resume().on('end', () => count(String(reply.statusCode)));
  })
    .on('error', () => count('failed'))
    .end('{"amount":4900,"currency":"EUR","payment_method":{"type":"card","token":"ok"}}');
}

const begun = performance.now();
const timer = setInterval(() => {
  const elapsed = performance.now() - begun;
  const due = Math.min(Number(seconds) * 1_000, elapsed) * (Number(rate) / 1_000);
  for (let n = 0; n < MAX_PER_TICK && sent + missed < due; n += 1) send();
  missed = Math.max(missed, Math.floor(due) - sent - MAX_PER_TICK);
  if (elapsed < Number(seconds) * 1_000) return;
  clearInterval(timer);
  console.log(JSON.stringify(statuses));
  agent.destroy();
  process.exit(0);
}, PER_TICK_MS);
