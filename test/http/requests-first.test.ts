import { afterAll, beforeAll, expect, it } from 'vitest';
import { STREAM_CONSUMERS } from '#lib/local/relay-loop.ts';
import { aPaymentBody, callsOf, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

it('the provider is called before anything else is done with the payment that was just stored', async () => {
  const consumers: ReadonlySet<string> = new Set(STREAM_CONSUMERS);
  await host.call('POST', '/v1/payments', aPaymentBody());
  await host.drain();
  const calls = await callsOf(host, () => host.call('POST', '/v1/payments', aPaymentBody()));
  const names = calls.map(({ point, method }) => `${point}.${method}`);
  const [stored, called] = [names.indexOf('table.put'), names.indexOf('psp.send')];
  expect(called).toBeGreaterThan(stored);
  expect(calls.slice(stored, called).filter(({ group }) => consumers.has(group))).toEqual([]);
  await host.drain();
});
