import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentShop, anAgentShop } from '#test/http/agents/agent.support.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
let shop: AgentShop;
beforeAll(async () => {
  host = await startHost();
  shop = await anAgentShop(host);
});
afterAll(() => host?.close());

const ACCEPT = { accept: 'application/json, text/event-stream' };
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const post = (body: unknown, key: string | null = shop.agentKey, headers = {}): Promise<ApiResponse> =>
  host.call('POST', '/mcp', body, { key, idempotencyKey: null, headers: { ...ACCEPT, ...headers } });
const outcome = ({ status, body }: ApiResponse) => [status, body?.code];

/** What the document does not describe: errors of the protocol itself, and methods that there are not. */
const plain = (method: string, body?: string): Promise<Response> =>
  fetch(`${host.info.api}/mcp`, {
    method,
    headers: { ...ACCEPT, authorization: `Bearer ${shop.agentKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  });

describe('POST /mcp', () => {
  it.each([
    ['without a key', null],
    ['with any text', 'nonsense'],
    ['with a key that was never made', `sk_sandbox_${'0'.repeat(26)}${'a'.repeat(32)}`],
  ])('is refused %s, and says how to authenticate', async (_, key) => {
    const refused = await post(PING, key);
    expect(outcome(refused)).toEqual([401, 'invalid_api_key']);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('is refused for a public key: it is in pages', async () => {
    const { body } = await shop.owner.request('POST', '/v1/api-keys', { name: 'Page', kind: 'public' });
    expect(outcome(await post(PING, body.key))).toEqual([403, 'missing_role']);
  });

  it('is refused from a page of somebody else', async () => {
    expect(outcome(await post(PING, shop.agentKey, { origin: 'https://evil.example' }))).toEqual([403, 'bad_origin']);
    expect((await post(PING, shop.agentKey, { origin: 'http://localhost:4000' })).status).toBe(200);
  });

  it('is refused under the name of somebody else, which was pointed at this machine', async () => {
    const { port } = new URL(host.info.api);
    const statusFor = (name: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { ...ACCEPT, authorization: `Bearer ${shop.agentKey}`, 'content-type': 'application/json' };
        const options = { port, method: 'POST', path: '/mcp', headers: { ...headers, host: name } };
        request({ host: '127.0.0.1', ...options }, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end(JSON.stringify(PING));
      });
    const names = ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', `localhost:${port}`];
    expect(await Promise.all(names.map(statusFor))).toEqual([403, 403, 403, 200]);
  });

  it('takes a compressed message, and none that grows too large', async () => {
    const send = (message: unknown) =>
      fetch(`${host.info.api}/mcp`, {
        method: 'POST',
        headers: {
          ...ACCEPT,
          authorization: `Bearer ${shop.agentKey}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body: new Uint8Array(gzipSync(JSON.stringify(message))),
      });
    const large = { ...PING, params: { x: 'x'.repeat(300 * 1024) } };
    expect([(await send(PING)).status, (await send(large)).status]).toEqual([200, 413]);
  });

  it('answers messages that are none with the error of the protocol', async () => {
    const batch = JSON.stringify([PING, { ...PING, id: 2 }]);
    for (const body of ['{', '[]', batch, '7', '"x"', '{"jsonrpc":"1.0"}']) {
      const response = await plain('POST', body);
      const answer = (await response.json()) as Body;
      expect([body, response.status, answer.error?.code]).toEqual([body, 400, expect.any(Number)]);
    }
    const huge = JSON.stringify({ ...PING, params: { x: 'x'.repeat(300 * 1024) } });
    expect(outcome(await post(huge, shop.agentKey, { 'content-type': 'application/json' }))).toEqual([
      413,
      'body_too_large',
    ]);
  });

  it('holds no stream open', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { notifications: { toolsListChanged: true }, _meta: meta };
    const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params };
    const { text } = await post(listen, shop.agentKey, {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    });
    expect(text).toMatch(/error/);
  });
});

it.each(['GET', 'DELETE'])('%s /mcp is refused, as there are no sessions', async (method) => {
  const refused = await plain(method);
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, expect.stringContaining('POST')]);
});
