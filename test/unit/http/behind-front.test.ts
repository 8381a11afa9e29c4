import { expect, it } from 'vitest';
import { behindFront } from '#shared/http/behind-front.ts';
import type { ApiEvent } from '#shared/http/request.ts';
import { apiEvent } from '#test/support/aws-events.ts';

const [CURRENT, PREVIOUS] = ['c'.repeat(40), 'p'.repeat(40)];
const apiUrl = 'https://api.example.com';

/** What the handler gets, or that it gets nothing. */
async function sent(
  headers: Readonly<Record<string, string>>,
  originSecrets?: readonly string[],
  takesDirectRequests = false,
) {
  let seen: ApiEvent | undefined;
  const handler = behindFront(
    async (event) => {
      seen = event;
      return { statusCode: 200 };
    },
    { apiUrl, takesDirectRequests, ...(originSecrets && { originSecrets }) },
  );
  const { statusCode, body = '' } = await handler(apiEvent('GET /v1/payments', { headers }), {});
  return { statusCode, body, seen };
}

const viewer = { 'x-viewer-address': '203.0.113.7' };

it.each([
  ['the current secret', CURRENT],
  ['the previous one, while it is being replaced', PREVIOUS],
])('a request with %s is counted by the address that the front names', async (_, secret) => {
  const { statusCode, seen } = await sent({ 'x-origin-secret': secret, ...viewer }, [CURRENT, PREVIOUS]);
  expect(statusCode).toBe(200);
  expect(seen?.requestContext.http.sourceIp).toBe('203.0.113.7');
});

it.each<readonly [string, Readonly<Record<string, string>>]>([
  ['without a secret', {}],
  ['with an empty one', { 'x-origin-secret': '' }],
  ['with another one', { 'x-origin-secret': 'x'.repeat(40) }],
  ['with the beginning of the secret', { 'x-origin-secret': CURRENT.slice(1) }],
])('a request %s is refused, and told where the API is', async (_, headers) => {
  const { statusCode, body, seen } = await sent({ ...headers, ...viewer }, [CURRENT, PREVIOUS]);
  expect([statusCode, seen]).toEqual([404, undefined]);
  expect(JSON.parse(body)).toMatchObject({ code: 'route_not_found', message: expect.stringContaining(apiUrl) });
});

it('the secret goes no further than the entry point, so that no log can show it', async () => {
  const { seen } = await sent({ 'x-origin-secret': CURRENT, ...viewer }, [CURRENT]);
  expect(JSON.stringify(seen)).not.toContain(CURRENT);
  expect(Object.keys(seen?.headers ?? {})).not.toContain('x-viewer-address');
});

it('without a front, a caller cannot choose the address that is counted', async () => {
  const usual = apiEvent('GET /v1/payments').requestContext.http.sourceIp;
  for (const secrets of [undefined, []]) {
    const { statusCode, seen } = await sent(viewer, secrets);
    expect([statusCode, seen?.requestContext.http.sourceIp]).toEqual([200, usual]);
  }
});

it('while callers move to the front, others are served too, but cannot choose the address that is counted', async () => {
  const usual = apiEvent('GET /v1/payments').requestContext.http.sourceIp;
  for (const headers of [viewer, { ...viewer, 'x-origin-secret': 'x'.repeat(40) }]) {
    const { statusCode, seen } = await sent(headers, [CURRENT], true);
    expect([statusCode, seen?.requestContext.http.sourceIp]).toEqual([200, usual]);
  }
  const { seen } = await sent({ 'x-origin-secret': CURRENT, ...viewer }, [CURRENT], true);
  expect(seen?.requestContext.http.sourceIp).toBe('203.0.113.7');
});
