import { describe, expect, it } from 'vitest';
import { type ApiResponse, anOrganization, type Body, type CallOptions, type TestHost } from '#test/support/host.ts';
import { drain, keyWith } from '#test/support/payment-steps.ts';

export const SUBSCRIPTIONS = '/v1/subscriptions';
export const INVOICES = '/v1/invoices';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** The body of a new subscription. */
export const aSubscriptionBody = (more: Body = {}): Body => ({
  customer_id: 'ann',
  plan_id: 'gold',
  amount: 5_000,
  currency: 'EUR',
  interval: 'monthly',
  payment_method: { type: 'card', token: 'ok' },
  ...more,
});

export const create = (host: TestHost, more: Body = {}, how: CallOptions = {}): Promise<ApiResponse> =>
  host.call('POST', SUBSCRIPTIONS, aSubscriptionBody(more), how);

export async function subscribe(host: TestHost, more: Body = {}, how: CallOptions = {}): Promise<Body> {
  const { status, body, text } = await create(host, more, how);
  if (status !== 201) throw new Error(`No subscription: ${text}`);
  return body;
}

/** A subscription that starts in a month, so that nothing is charged until then. */
export const subscribeLater = (host: TestHost, more: Body = {}, how: CallOptions = {}): Promise<Body> =>
  subscribe(host, { start_at: at(host, 30 * DAY), ...more }, how);

export const show = async (host: TestHost, id: string, how: CallOptions = {}): Promise<Body> =>
  (await host.call('GET', `${SUBSCRIPTIONS}/${id}`, undefined, how)).body;

export const update = (host: TestHost, id: string, body: Body, how: CallOptions = {}): Promise<ApiResponse> =>
  host.call('PATCH', `${SUBSCRIPTIONS}/${id}`, body, how);
export const cancel = (host: TestHost, id: string, body?: Body, how: CallOptions = {}): Promise<ApiResponse> =>
  host.call('POST', `${SUBSCRIPTIONS}/${id}/cancel`, body, how);
export const resume = (host: TestHost, id: string, how: CallOptions = {}): Promise<ApiResponse> =>
  host.call('POST', `${SUBSCRIPTIONS}/${id}/resume`, undefined, how);

/** A time relative to the host's clock. */
export const at = (host: TestHost, ms: number): string => new Date(host.clock.now().getTime() + ms).toISOString();

/** Its invoices, oldest first, after all due work is done. */
export async function invoicesOf(host: TestHost, { id }: Body, how: CallOptions = {}): Promise<Body[]> {
  await drain(host);
  return (
    await host.call('GET', `${INVOICES}?subscription_id=${id}&limit=200`, undefined, how)
  ).body.invoices.reverse();
}

/** Its events by time, those of the same time by type. */
export async function eventsOf(host: TestHost, id: string, how: CallOptions = {}): Promise<Body[]> {
  await drain(host);
  const { events } = (await host.call('GET', '/v1/webhooks/events?limit=200', undefined, how)).body;
  const key = ({ created_at, type }: Body) => `${created_at} ${type}`;
  return events.filter(({ data }: Body) => data.id === id).sort((a: Body, b: Body) => key(a).localeCompare(key(b)));
}

export const typesOf = async (host: TestHost, id: string, how: CallOptions = {}): Promise<string[]> =>
  (await eventsOf(host, id, how)).map(({ type }) => type.split('.')[1]);

export const verdictOf = ({ status, body }: ApiResponse): unknown[] => [status, body.code];
export const faultsOf = ({ body }: ApiResponse): string[] => body.details.fields.map(({ path }: Body) => path);

/** All pages of a list, by the `Link` header. */
export async function pagesOf(host: TestHost, path: string, how: CallOptions, most = 50): Promise<ApiResponse[]> {
  const pages: ApiResponse[] = [];
  for (let next: string | undefined = path; next !== undefined && pages.length < most; ) {
    const page: ApiResponse = await host.call('GET', next, undefined, how);
    pages.push(page);
    const [, address]: RegExpExecArray | [] = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? [];
    next = address?.slice(host.info.api.length);
  }
  return pages;
}

type Endpoint = readonly [method: string, path: string, scope: string, body?: Body];

/** `about` creates the resource of the endpoint; `otherwise` is the message for other organizations. */
export function itKnowsItsCallers(
  host: () => TestHost,
  [method, path, scope, body]: Endpoint,
  about: () => Promise<{ readonly id: string }>,
  otherwise: string,
): void {
  const ask = async (how: CallOptions, id?: string) =>
    host().call(method, path.replace('{id}', id ?? (await about()).id), body, how);

  describe(`${method} ${path}`, () => {
    it('rejects a request without a key, and names the scope that a key lacks', async () => {
      expect((await ask({ key: null })).status).toBe(401);
      const other = await keyWith(host(), [
        scope.endsWith(':read') ? scope.replace('read', 'write') : scope.replace('write', 'read'),
      ]);
      for (const key of [other, host().info.keys.public]) {
        expect(await ask({ key })).toMatchObject({
          status: 403,
          body: { code: 'missing_scope', message: expect.stringContaining(scope) },
        });
      }
    });

    if (!path.includes('{id}')) return;
    it("answers 404 alike to another organization's, to one that never was, and to nonsense", async () => {
      const { id } = await about();
      const { key } = await anOrganization(host());
      const never = { error: 'not_found', code: 'not_found', message: otherwise, doc_url: expect.any(String) };
      for (const each of [id, id.replace(/.{4}$/, '0000'), 'nonsense', `pay_${id.split('_')[1]}`, 'a%20b']) {
        const answer = await ask({ key }, each);
        expect([answer.status, answer.body], each).toEqual([404, never]);
      }
    });
  });
}
