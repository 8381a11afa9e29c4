import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { filesIn, leaksOf } from '#test/faults/canary.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { type ApiResponse, anOrganization, aPaymentBody, type TestOrganization } from '#test/support/host.ts';

const CREDENTIALS = { secret_key: 'sk_test_QuotedKey2Ws9', webhook_secret: 'whsec_QuotedHook6Er1' };
const DETAILS = {
  billing: { name: 'Quoted Name', phone: '+4922147110815', address: { line1: 'Quotedallee 17', country: 'DE' } },
  shipping: { name: 'Quoted Parcel', address: { line1: 'Quotedweg 4', country: 'DE' } },
};
const SECRETS = {
  ...CREDENTIALS,
  token: 'pm_QuotedToken8Ty3',
  name: DETAILS.billing.name,
  street: DETAILS.billing.address.line1,
  phone: DETAILS.billing.phone,
  parcel: DETAILS.shipping.address.line1,
};

/** A provider that repeats the request, as it came and in plain text, in every field of its errors. */
let status = 200;
const provider = createServer(async (message, response) => {
  const sent = Buffer.concat(await message.toArray()).toString();
  const told = `${message.headers.authorization} ${sent} ${[...new URLSearchParams(sent).values()]} ${message.url}`;
  const card = { brand: told, last4: told, funding: told, country: told, network_transaction_id: told };
  const error = {
    type: 'invalid_request_error',
    code: told,
    decline_code: told,
    advice_code: told,
    network_decline_code: told,
    network_advice_code: told,
    payment_method: { card },
    message: told,
    param: told,
    doc_url: told,
    charge: told,
  };
  response.writeHead(status, `Told ${CREDENTIALS.secret_key}`, {
    'content-type': 'application/json',
    'request-id': CREDENTIALS.secret_key,
  });
  response.end(
    status === 200 ? JSON.stringify({ object: told, status: told, amount: told }) : JSON.stringify({ error, told }),
  );
});

let host: WatchedHost;
let org: TestOrganization;
beforeAll(async () => {
  await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve));
  const address = provider.address();
  host = await startWatchedHost({
    pspUrls: { stripe: `http://127.0.0.1:${typeof address === 'object' && address?.port}` },
  });
  org = await anOrganization(host);
  const sent = await host.call(
    'POST',
    '/v1/connections',
    { id: 'main', provider: 'stripe', credentials: CREDENTIALS },
    { key: org.key },
  );
  expect(sent.status).toBe(201);
});
afterAll(async () => {
  await host?.close();
  provider.closeAllConnections();
  provider.close();
});

it.each([200, 201, 400, 401, 402, 403, 404, 409, 422, 429, 500, 503])(
  'a request that a provider quotes in a %i is not passed on',
  async (answer) => {
    status = answer;
    const call = (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
      host.call(method, path, body, { key: org.key });
    const paid = await call('POST', '/v1/payments', aPaymentBody(SECRETS.token, DETAILS));
    expect(paid.body.status).toMatch(/^(failed|processing)$/);
    await host.control('POST', '/clock', { advance: '7m' });
    const answers = [
      paid,
      await call('POST', '/v1/connections/test', { provider: 'stripe', credentials: CREDENTIALS }),
      await call('POST', '/v1/connections/main/validate'),
      await call('GET', `/v1/payments/${paid.body.id}`),
      await call('POST', `/v1/payments/${paid.body.id}/cancel`),
      await call('GET', '/v1/webhooks/events'),
    ];
    await host.drain();
    const told = answers.map(({ text, headers }) => `${text} ${JSON.stringify([...headers])}`).join();
    expect(
      leaksOf(SECRETS, {
        ...filesIn(host.folder),
        told,
        logged: inspect(host.logged, { depth: null, showHidden: true }),
      }),
    ).toEqual([]);
  },
);
