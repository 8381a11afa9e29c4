import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DETAILS, LINE } from '#test/http/payment-details.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { aGuest, aLink } from '#test/support/guest-browser.ts';
import type { Body } from '#test/support/host.ts';
import { drain, faultsIn } from '#test/support/payment-steps.ts';

let host: WatchedHost;
beforeAll(async () => {
  host = await startWatchedHost({ demoProviders: ['stripe'] });
});
afterAll(() => host?.close());

const { browser: _, sca: __, ...GIVEN } = DETAILS;
const storedLink = async ({ id }: Body): Promise<string | undefined> =>
  (await host.stored()).find((line) => line.startsWith('item LINK#') && line.includes(`"id":"${id}"`));

describe('the details of a payment link', () => {
  it('are sealed with the link, and then with the payment that a customer starts', async () => {
    const link = await aLink(host, { amount: 5_000, ...GIVEN });
    const visitor = aGuest(host);
    await visitor.submit(await visitor.open(link.url), 'start');
    await drain(host);
    const { payments } = (await host.call('GET', '/v1/payments?limit=20')).body;
    const payment = payments.find(({ payment_link_id }: Body) => payment_link_id === link.id);
    const lines = (await host.stored()).filter((line) => line.includes(link.id) || line.includes(payment.id));
    const sealed = lines.filter((line) => /"sealed_(details|method)":"v1\./.test(line));
    expect([sealed.length, lines.filter((line) => line.includes('Canaryallee'))]).toEqual([2, []]);
    expect(JSON.stringify([link, payment])).not.toMatch(/Canaryallee|TEEHAUS|sealed/);
  });

  it('are no longer stored once the link takes no payments', async () => {
    const link = await aLink(host, { amount: 5_000, ...GIVEN });
    expect(await storedLink(link)).toContain('sealed_details');
    await host.call('POST', `/v1/payment-links/${link.id}/deactivate`);
    expect(await storedLink(link)).not.toContain('sealed_details');
  });

  it.each<[string, Body, string]>([
    ['lines of another amount', { order: { lines: [LINE] } }, 'order.lines'],
    ['a browser, which only the customer has', { browser: DETAILS.browser }, 'browser'],
    ['an absent customer', { mit: { reason: 'recurring' } }, 'mit'],
    ['a wish for authentication', { sca: { challenge: 'avoid' } }, 'sca'],
  ])('are refused with %s', async (_, more, path) => {
    const answer = await host.call('POST', '/v1/payment-links', { amount: 5_000, currency: 'EUR', ...more });
    expect([answer.status, faultsIn(answer)]).toEqual([400, [path]]);
  });
});
