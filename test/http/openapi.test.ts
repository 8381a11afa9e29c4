import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveApiDocument } from '#functions/openapi/serve-document.usecase.ts';
import { DOCUMENT_NAMES, type DocumentName } from '#shared/domain/reference/api-documents.rules.ts';
import { requestCallsOf, startHost, type TestHost } from '#test/support/host.ts';

const textOf = (name: DocumentName): string => readFileSync(new URL(`../../${name}.json`, import.meta.url), 'utf8');
/** The committed document, with the address of this host. */
const served = (name: DocumentName): unknown => {
  const document = JSON.parse(textOf(name));
  const [, local] = document.servers;
  const externalDocs = { ...document.externalDocs, url: `${host.info.api}/docs` };
  return {
    ...document,
    externalDocs,
    servers: [{ url: host.info.api, description: expect.stringMatching(/^Sandbox: /) }, local],
  };
};

type Plain = { readonly headers: IncomingHttpHeaders; readonly bytes: Buffer };

/** A response as it was sent: `fetch` would decompress it. */
const rawRequest = (url: string, method: string, headers: Record<string, string>): Promise<Plain> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      resolve({ headers: response.headers, bytes: Buffer.concat(parts) });
    });
    sent.on('error', reject).end();
  });

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

it.each(DOCUMENT_NAMES)('GET /%s.json serves the committed document to anyone, also to any web page', async (name) => {
  const answer = await host.call('GET', `/${name}.json`, undefined, { key: null });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(served(name));
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

it.each(DOCUMENT_NAMES)(
  'GET /%s.json is compressed for those who accept that, and comes whole to others',
  async (name) => {
    const load = (encoding: string) =>
      rawRequest(`${host.info.api}/${name}.json`, 'GET', { 'accept-encoding': encoding });
    for (const encoding of ['gzip', 'br, gzip;q=0.5', '*']) {
      const { headers, bytes } = await load(encoding);
      expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'accept-encoding']);
      expect(bytes.length).toBeLessThan(textOf(name).length / 5);
      expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(served(name));
    }
    for (const encoding of ['', 'br', 'gzip;q=0', 'x-gzip-not']) {
      const { headers, bytes } = await load(encoding);
      expect([headers['content-encoding'], JSON.parse(bytes.toString())]).toEqual([undefined, served(name)]);
    }
  },
);

it.each(DOCUMENT_NAMES)('GET /%s.json sends nothing to those who have it already', async (name) => {
  const load = (known: string) => fetch(`${host.info.api}/${name}.json`, { headers: { 'if-none-match': known } });
  const etag = (await load('"another"')).headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/);
  for (const known of [etag, etag.slice(2), `"another", ${etag}`, '*']) {
    const answer = await load(known);
    expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([304, etag, '']);
  }
  expect((await load('"another"')).status).toBe(200);
});

it.each([
  ['the document', 'GET', '/openapi.json', 200],
  ["the dashboard's document", 'GET', '/openapi-dashboard.json', 200],
  ['a preflight', 'OPTIONS', '/v1/payments', 204],
])('%s needs no call of the store, and shows a window that nobody has used', async (_, method, path, status) => {
  const limited = await startHost({ rateLimits: true });
  try {
    const strangers = () => fetch(`${limited.info.api}/v1/payments`);
    await strangers();
    const calls = await requestCallsOf(limited, () => fetch(limited.info.api + path, { method }));
    const { status: got, headers } = await fetch(limited.info.api + path, { method });
    expect([got, calls]).toEqual([status, []]);
    expect(headers.get('x-ratelimit-remaining')).toBe(headers.get('x-ratelimit-limit'));
  } finally {
    await limited.close();
  }
});

it('GET /openapi.json names the other stage too, where its address is known', async () => {
  const stages = {
    stage: 'live',
    apiUrl: 'https://api.shop.example',
    otherStageUrl: 'https://test.shop.example',
  } as const;
  const { body = '' } = await serveApiDocument({ headers: {} }, { config: stages });
  const urls = JSON.parse(body).servers.map(({ url }: { readonly url: string }) => url);
  expect(urls).toEqual([stages.apiUrl, stages.otherStageUrl, 'http://127.0.0.1:4000']);
  const other = await serveApiDocument({ headers: {} }, { config: { ...stages, apiUrl: 'https://api2.shop.example' } });
  expect(other.headers?.etag).not.toBe((await serveApiDocument({ headers: {} }, { config: stages })).headers?.etag);
});

it('each document has a tag of its own for whether it changed', async () => {
  const tags = await Promise.all(
    DOCUMENT_NAMES.map(async (name) => (await fetch(`${host.info.api}/${name}.json`)).headers.get('etag')),
  );
  expect(new Set(tags).size).toBe(2);
});

it('the tests check every response against the API document', async () => {
  const before = host.checked();
  await host.call('GET', '/v1/payments');
  expect(host.checked()).toBe(before + 1);
});
