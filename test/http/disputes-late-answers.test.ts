import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aConnection, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { arrange, create, drain, read } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

it('keeps what Mollie says last of a chargeback, whichever look-up of the charge ends first', async () => {
  const org = await anOrganization(host);
  await aConnection(host, org, { provider: 'mollie' });
  const how = { key: org.key };
  const { body } = await create(host, { amount: 5_000, currency: 'EUR' }, how);
  await host.control('POST', '/psp/complete', {
    provider: 'mollie',
    reference: body.psp_reference,
    outcome: 'succeeded',
  });
  await drain(host);
  const reference = host.simulators.openDispute('mollie', body.id) ?? expect.fail('No chargeback.');
  await drain(host);
  const shown = async (): Promise<Body> =>
    (await host.call('GET', `/v1/disputes?payment_id=${body.id}`, undefined, how)).body.disputes[0];
  expect((await shown()).status).toBe('lost');

  const { org_id, id, connection_id } = await read(host, body.id, how);
  const address = `/webhooks/mollie?org_id=${org_id}&connection_id=${connection_id}&payment_id=${id}`;
  // The answer is made at once, and arrives after a newer one.
  await arrange(host, 'slow:400', { provider: 'mollie', match: { operation: 'fetch' } });
  const call = () =>
    host.call('POST', address, `id=${body.psp_reference}`, {
      key: null,
      idempotencyKey: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const late = call();
  await pause(150);
  host.simulators.moveDispute('mollie', reference, 'won', 'none');
  expect((await call()).status).toBe(200);
  expect((await shown()).status).toBe('won');
  expect((await late).status).toBe(200);
  expect((await shown()).status).toBe('won');
  expect((await read(host, body.id, how)).amount_disputed).toBe(0);
});
