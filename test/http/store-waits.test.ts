import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitsOf } from '#test/bench/store-waits.ts';
import { aConnection, anOrganization, aPaymentBody, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
  await host.call('POST', '/v1/payments', aPaymentBody());
  await host.drain();
});
afterAll(() => host.close());

describe('POST /v1/payments', () => {
  it('waits for the store twice before the PSP call and once after', async () => {
    const { before, after } = await waitsOf(host, () => host.call('POST', '/v1/payments', aPaymentBody()));
    expect({ before, after }).toEqual({ before: 2, after: 1 });
  });

  it('makes six store calls in all, of which three read one item each, and one to the PSP', async () => {
    const { calls } = await waitsOf(host, () => host.call('POST', '/v1/payments', aPaymentBody()));
    const reads = ['table.get', 'table.get', 'table.get'];
    expect([...calls].sort()).toEqual(['psp.send', ...reads, 'table.put', 'table.put', 'table.update']);
  });

  it('reads the credentials of a connection beside the claim', async () => {
    const shop = await anOrganization(host);
    const pay = () => host.call('POST', '/v1/payments', aPaymentBody(), { key: shop.key });
    await aConnection(host, shop, { id: 'first' });
    await pay();
    await host.drain();
    await aConnection(host, shop, { id: 'first', status: 'inactive' });
    await aConnection(host, shop, { id: 'second' });
    const { before, calls } = await waitsOf(host, pay);
    expect([before, calls.filter((call) => call === 'table.get').length]).toEqual([2, 3]);
  });
});
