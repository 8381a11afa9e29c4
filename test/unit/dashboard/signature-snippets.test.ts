import { execFile } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CURL_SNIPPET, LIBRARY_SNIPPET, NODE_SNIPPET } from '#client/dashboard/screens/webhooks/signature-snippets.ts';
import { signedHeaders, signingSecret } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import { Secret } from '#shared/kernel/secret.ts';
import { sentAt, verified } from '#test/support/standard-webhooks.ts';

const SECRET = signingSecret(Buffer.from('a secret of twenty-four bytes'));
const FORMER = signingSecret(Buffer.from('another one of so many bytes!'));
const ID = 'evt_01jc0000000000000000000001';
const BODY = '{"id":"evt_01jc0000000000000000000001","data":{"name":"Zoë"}}';

type Verify = (rawBody: string, headers: Readonly<Record<string, string>>, secret: string) => unknown;

const now = () => Math.floor(Date.now() / 1_000);
const headersAt = (timestamp: number, former: readonly Secret[] = []) =>
  signedHeaders(ID, timestamp, BODY, new Secret(SECRET), former);

describe('the code for Node', () => {
  let verify: Verify;
  beforeAll(async () => {
    ({ verify } = await import(`data:text/javascript,${encodeURIComponent(NODE_SNIPPET)}`));
  });

  it('returns the event of a delivery as the service signs it', () => {
    expect(verify(BODY, headersAt(now()), SECRET)).toEqual(JSON.parse(BODY));
  });

  it('takes either secret while one is replaced', () => {
    const headers = headersAt(now(), [new Secret(FORMER)]);
    expect(headers['webhook-signature']).toContain(' ');
    expect(verify(BODY, headers, FORMER)).toEqual(JSON.parse(BODY));
    expect(verify(BODY, headers, SECRET)).toEqual(JSON.parse(BODY));
  });

  it.each<[string, string, Readonly<Record<string, string>>, string]>([
    ['another body', BODY.replace('Zoë', 'Zoe'), headersAt(now()), SECRET],
    ['another secret', BODY, headersAt(now()), FORMER],
    ['another id', BODY, { ...headersAt(now()), 'webhook-id': 'evt_2' }, SECRET],
    ['an old delivery', BODY, headersAt(now() - 301), SECRET],
    ['a delivery of the future', BODY, headersAt(now() + 302), SECRET],
    ['no timestamp', BODY, { ...headersAt(now()), 'webhook-timestamp': 'soon' }, SECRET],
    ['a signature of another kind', BODY, { ...headersAt(now()), 'webhook-signature': 'v2,AAAA' }, SECRET],
    ['no headers', BODY, {}, SECRET],
  ])('refuses %s', (_, body, headers, secret) => expect(() => verify(body, headers, secret)).toThrow());
});

describe('the code with a library', () => {
  it('names a package and a method that exist', async () => {
    const { Webhook } = await import('standardwebhooks');
    expect(LIBRARY_SNIPPET).toContain("from 'standardwebhooks'");
    expect(new Webhook(SECRET).verify(BODY, headersAt(now()))).toEqual(JSON.parse(BODY));
  });
});

describe('the commands for curl', () => {
  it('send an event that a library takes for one of the service', async () => {
    const seen: { headers: IncomingHttpHeaders; body: string }[] = [];
    const server = createServer(async (request, response) => {
      seen.push({ headers: request.headers, body: await text(request) });
      response.end();
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const commands = CURL_SNIPPET.replace('http://127.0.0.1:8080/', `http://127.0.0.1:${port}/`);
    await promisify(execFile)('sh', ['-c', commands], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', SIGNING_SECRET: SECRET },
    });
    const [{ headers, body }] = seen as [(typeof seen)[number]];
    const sent = headers as Readonly<Record<string, string>>;
    expect(verified(SECRET, body, sent, sentAt(sent))).toMatchObject({ type: 'service.webhook.test' });
  });
});
