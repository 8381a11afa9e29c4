import { createHmac, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import {
  type ApiResponse,
  anOrganization,
  type Body,
  type CallOptions,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { sentAt, verified } from '#test/support/standard-webhooks.ts';

/** An organization whose events arrive at an endpoint of its own. */
export type Merchant = TestOrganization & { readonly receiver: string; readonly url: string; readonly secret: string };

type Delivered = { readonly headers: Readonly<Record<string, string>>; readonly raw_body: string };

/** What the tests of webhooks do with a host. */
export function webhooksAt(host: () => TestHost) {
  const call = (
    method: string,
    path: string,
    body: Body,
    { key }: Pick<TestOrganization, 'key'>,
    how: CallOptions = {},
  ): Promise<ApiResponse> => host().call(method, `/v1/webhooks${path}`, body, { key, ...how });
  const respondWith = ({ receiver }: Pick<Merchant, 'receiver'>, answers: Body) =>
    host().control('PUT', `/receiver/${receiver}`, answers);
  const deliveries = async ({ receiver }: Merchant): Promise<Delivered[]> =>
    (await host().control('GET', `/receiver/${receiver}`)).body.deliveries;
  const advance = (by: string) => host().control('POST', '/clock', { advance: by });
  const drain = () => host().control('POST', '/drain');
  const sendTest = async (org: Merchant): Promise<string> => (await call('POST', '/test', undefined, org)).body.id;
  return {
    call,
    answerWith: respondWith,
    deliveries,
    advance,
    drain,
    sendTest,
    aMerchant: async (answers: Body = {}, config: Body = {}): Promise<Merchant> => {
      const org = await anOrganization(host());
      const receiver = randomUUID();
      await respondWith({ receiver }, answers);
      const url = `${host().controlUrl}/receiver/${receiver}/hook`;
      const { body } = await call('POST', '/config', { url, events: ['*'], ...config }, org);
      return { ...org, receiver, url, secret: body.signing_secret };
    },
    configure: ({ key, url }: Merchant, config: Body = {}, how: CallOptions = {}) =>
      call('POST', '/config', { url, events: ['*'], ...config }, { key }, how),
    config: async (org: TestOrganization, how: CallOptions = {}): Promise<Body> =>
      (await call('GET', '/config', undefined, org, how)).body,
    rotate: (org: TestOrganization, body?: Body, how: CallOptions = {}) =>
      call('POST', '/config/rotate-secret', body, org, how),
    audit: async (org: TestOrganization, query = ''): Promise<Body[]> =>
      (await call('GET', `/config/audit${query}`, undefined, org)).body,
    event: async (id: string, org: TestOrganization): Promise<Body> =>
      (await call('GET', `/events/${id}`, undefined, org)).body,
    /** The request that the endpoint receives for one event that is sent now. */
    sample: async (org: Merchant): Promise<Delivered> => {
      const id = await sendTest(org);
      await drain();
      const mine = (await deliveries(org)).find(({ headers }) => headers['webhook-id'] === id);
      if (!mine) throw new Error('The event did not arrive.');
      return mine;
    },
    keyWith: async ({ key }: TestOrganization, ...scopes: string[]): Promise<string> =>
      (await host().call('POST', '/v1/api-keys', { name: 'limited', scopes }, { key })).body.key,
  };
}

/** Whether a merchant with this secret who verifies the Service-Signature header accepts the request. */
export const verifiesServiceSignature = (secret: string, { headers, raw_body }: Delivered): boolean =>
  headers['x-service-signature'] === `sha256=${createHmac('sha256', secret).update(raw_body).digest('hex')}`;

/** The same for a merchant with a Standard Webhooks library. */
export function verifiesStandardSignature(secret: string, { headers, raw_body }: Delivered): boolean {
  try {
    verified(secret, raw_body, headers, sentAt(headers));
    return true;
  } catch (error) {
    if (error instanceof Error && error.message === 'No matching signature found') return false;
    throw error;
  }
}

/** The positions of the signatures made with this secret in the Standard Webhooks header. */
export function signaturePositionsOf(secret: string, { headers, raw_body }: Delivered): number[] {
  const { 'webhook-id': id = '', 'webhook-signature': signatures = '' } = headers;
  const own = new Webhook(secret).sign(id, sentAt(headers), raw_body);
  return signatures.split(' ').flatMap((signature, n) => (signature === own ? [n] : []));
}
