import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitsOf } from '#test/bench/store-waits.ts';
import { aPaymentBody, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
  await host.call('POST', '/v1/payments', aPaymentBody());
});
afterAll(() => host.close());

describe('POST /v1/payments', () => {
  it('waits for the store twice before the PSP call and once after', async () => {
    const { before, after } = await waitsOf(host, () => host.call('POST', '/v1/payments', aPaymentBody()));
    expect({ before, after }).toEqual({ before: 2, after: 1 });
  });

  it('makes four store calls in all and one to the PSP', async () => {
    const { calls } = await waitsOf(host, () => host.call('POST', '/v1/payments', aPaymentBody()));
    expect([...calls].sort()).toEqual(['psp.send', 'table.put', 'table.put', 'table.query', 'table.update']);
  });
});
