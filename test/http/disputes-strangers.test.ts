import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import { signBody } from '#lib/simulators/adyen/events.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import { drain, pay, read } from '#test/support/payment-steps.ts';

/** Connection ids are chosen by merchants, so two organizations may have the same. */
const SHARED_ID = 'conn_main';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

type Shop = { readonly key: string; readonly secret: string; readonly account: string; readonly payment: Body };

async function aShopAtAdyen(): Promise<Shop> {
  const org = await anOrganization(host);
  const credentials = randomCredentials('adyen', 'sandbox') as unknown as {
    readonly webhook_secret: string;
    readonly merchant_account: string;
  };
  await aConnection(host, org, { id: SHARED_ID, provider: 'adyen', credentials });
  const { webhook_secret: secret, merchant_account: account } = credentials;
  return { key: org.key, secret, account, payment: await pay(host, 'ok', {}, { key: org.key }) };
}

type Told = { readonly eventCode: string; readonly pspReference: string; readonly originalReference?: string };

/** An event as Adyen signs it with the key of a shop, at the address that all connections share or at the shop's own. */
async function tell(told: Told, { key, secret, account }: Shop, at: 'shared' | 'own' = 'shared'): Promise<ApiResponse> {
  const item = {
    merchantAccountCode: account,
    merchantReference: '',
    amount: { value: 5_000, currency: 'EUR' },
    success: 'true',
    ...told,
  };
  const text = JSON.stringify({
    live: 'false',
    notificationItems: [{ NotificationRequestItem: item }],
  });
  const { callback_url } = (await host.call('GET', `/v1/connections/${SHARED_ID}`, undefined, { key })).body;
  const url = at === 'own' ? callback_url : `${host.info.api}/webhooks/adyen`;
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: signBody(text, [secret]),
  });
  await drain(host);
  const said = await reply.text();
  return { status: reply.status, headers: reply.headers, text: said, body: undefined };
}

const disputesOf = async ({ key }: Shop): Promise<readonly Body[]> =>
  (await host.call('GET', '/v1/disputes', undefined, { key })).body.disputes;
const withheldOf = async ({ key, payment }: Shop): Promise<number> =>
  (await read(host, payment.id, { key })).amount_disputed;

describe('organizations with connections of the same id', () => {
  it('cannot end a dispute of each other, though they name its reference in an event of their own', async () => {
    const [shop, stranger] = [await aShopAtAdyen(), await aShopAtAdyen()];
    const pspReference = 'QFQTPCQ8HXSKGK82';
    await tell({ eventCode: 'CHARGEBACK', pspReference, originalReference: shop.payment.psp_reference }, shop);
    expect(await withheldOf(shop)).toBe(5_000);
    const [before] = await disputesOf(shop);
    const own = { pspReference, originalReference: stranger.payment.psp_reference };
    await tell({ eventCode: 'CHARGEBACK_REVERSED', ...own }, stranger);
    expect([await disputesOf(shop), await withheldOf(shop)]).toEqual([[before], 5_000]);
    expect(await disputesOf(stranger)).toMatchObject([{ payment_id: stranger.payment.id, status: 'won' }]);
  });

  it('cannot catch events of each other that name nothing but the reference of a dispute', async () => {
    const [shop, stranger] = [await aShopAtAdyen(), await aShopAtAdyen()];
    const pspReference = 'QFQTPCQ8HXSKGK99';
    for (const each of [shop, stranger])
      await tell({ eventCode: 'CHARGEBACK', pspReference, originalReference: each.payment.psp_reference }, each);
    expect((await tell({ eventCode: 'CHARGEBACK_REVERSED', pspReference }, shop)).status).toBe(200);
    expect([await withheldOf(shop), await withheldOf(stranger)]).toEqual([0, 5_000]);
    expect((await tell({ eventCode: 'CHARGEBACK_REVERSED', pspReference }, stranger, 'own')).status).toBe(200);
    expect([await withheldOf(shop), await withheldOf(stranger)]).toEqual([0, 0]);
  });
});
