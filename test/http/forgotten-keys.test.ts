import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimIdSeed } from '#shared/store/idempotency-claim.ts';
import { keys } from '#shared/store/keys.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { webhooksAt } from '#test/http/webhook-merchant.support.ts';
import {
  anOrganization,
  type CallOptions,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { hookAt, INTEGRATIONS } from '#test/support/workflows.ts';

/** Requests with idempotency keys that were used months ago, whose claims the store has deleted since. */

let host: TestHost;
let table: TablePort;
beforeAll(async () => {
  host = await startHost({
    wrapTable: (inner) => {
      table = inner;
      return inner;
    },
  });
});
afterAll(() => host?.close());

const { advance, aMerchant, config, rotate } = webhooksAt(() => host);
const AGAIN = 'monthly';
const how: CallOptions = { idempotencyKey: AGAIN };

/** Sixty days later the store has deleted the claim. */
async function forget({ org_id }: TestOrganization): Promise<void> {
  await advance('60d');
  const idempotencyRequest = { orgId: org_id, class: 'server', key: AGAIN, request: '', credentialId: '' } as const;
  const key = keys.claim(claimIdSeed(host.deps.config.hashSecret, idempotencyRequest, 0));
  const claim = await table.get(key, { consistent: true });
  expect(Number(claim?.ttl) * 1_000).toBeLessThan(host.clock.now().getTime());
  await table.delete(key);
}

describe('an idempotency key after its lifetime', () => {
  it('does not create the same signing secret again', async () => {
    const merchant = await aMerchant();
    const { signing_secret: leaked } = (await rotate(merchant, { expire_previous: true }, how)).body;
    await forget(merchant);
    const { status, body } = await rotate(merchant, { expire_previous: true }, how);
    expect([status, await config(merchant)]).toMatchObject([200, { signing_secret: body.signing_secret }]);
    expect([leaked, merchant.secret]).not.toContain(body.signing_secret);
  });

  it('does not create the same API key again after that was revoked', async () => {
    const org = await anOrganization(host);
    const make = () =>
      host.call('POST', '/v1/api-keys', { name: 'Till', scopes: ['payments:read'] }, { key: org.key, ...how });
    const opens = async (key: string) => (await host.call('GET', '/v1/payments', undefined, { key })).status;
    const { id, key: revoked } = (await make()).body;
    await host.call('DELETE', `/v1/api-keys/${id}`, undefined, { key: org.key });
    await forget(org);
    const { status, body } = await make();
    expect([status, await opens(body.key), await opens(revoked)]).toEqual([201, 200, 401]);
  });

  it('creates an integration with a new signing secret', async () => {
    const org = await anOrganization(host, { kyc: 'approved' });
    const make = () =>
      host.call(
        'POST',
        INTEGRATIONS,
        { name: 'CRM', type: 'http', config: { url: hookAt(host, 'crm') } },
        { key: org.key, ...how },
      );
    const secretOf = async (id: string) =>
      (await host.call('GET', `${INTEGRATIONS}/${id}`, undefined, { key: org.key })).body.signing_secret;
    const before = await secretOf((await make()).body.id);
    await forget(org);
    const { status, body } = await make();
    expect([status, await secretOf(body.id)]).toEqual([201, expect.stringMatching(/^whsec_/)]);
    expect(await secretOf(body.id)).not.toBe(before);
  });
});
