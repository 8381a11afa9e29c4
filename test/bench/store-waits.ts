import type { Call } from '#lib/local/invocation.ts';
import { aPaymentBody, startHost, type TestHost } from '#test/support/host.ts';

/** Concurrent calls count as one wait. Before, or at and after, the call to the PSP. */
type Waits = { readonly before: number; readonly after: number; readonly calls: readonly string[] };

/** The number of sequential waits for the store in a payment request: counted, not timed. */
export async function waitsOf(host: TestHost, work: () => Promise<unknown>): Promise<Waits> {
  const calls: string[] = [];
  const waits = { before: 0, after: 0 };
  let side: 'before' | 'after' = 'before';
  let running = 0;
  const stop = host.onCall(({ point, method, group }: Call, ended) => {
    if (group !== 'payments' || (point !== 'table' && point !== 'psp')) return;
    calls.push(`${point}.${method}`);
    if (point === 'psp') side = 'after';
    else if (running++ === 0) waits[side] += 1;
    if (point === 'table') void ended.then(() => (running -= 1));
  });
  await work();
  stop();
  return { ...waits, calls };
}

export async function waitsOfAPayment(): Promise<string> {
  const host = await startHost();
  await host.call('POST', '/v1/payments', aPaymentBody());
  const { before, after, calls } = await waitsOf(host, () => host.call('POST', '/v1/payments', aPaymentBody()));
  await host.close();
  return `store waits of POST /v1/payments: ${before} before the PSP call, ${after} after (${calls.join(', ')})`;
}
