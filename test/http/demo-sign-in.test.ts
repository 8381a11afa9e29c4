import { type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHost, type TestHost } from '#test/support/host.ts';
import { aTotpUser } from '#test/support/totp-app.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

type Reply = { readonly status: number | undefined; readonly headers: IncomingHttpHeaders; readonly text: string };

/** As a browser sends it: fetch would not let us name where the visitor came from. */
function ask(headers: Readonly<Record<string, string>>, { method = 'GET', path = '/sign-in', of = host } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const { hostname, port } = new URL(of.controlUrl);
  request({ hostname, port, path, method, headers: { host: `localhost:${port}`, ...headers } }, (reply) => {
    const chunks: Buffer[] = [];
    reply.on('data', (chunk: Buffer) => chunks.push(chunk));
    reply.on('end', () =>
      resolve({ status: reply.statusCode, headers: reply.headers, text: Buffer.concat(chunks).toString() }),
    );
  })
    .on('error', reject)
    .end();
  return promise;
}

const OPENED_BY_HAND = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const localhost = () => host.info.api.replace('127.0.0.1', 'localhost');
const cookiesIn = ({ headers }: Reply): string =>
  (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');

describe('the one-click sign-in of the demo owner', () => {
  it('opens the dashboard with a session of the owner, which the real sign-in has made', async () => {
    const reply = await ask(OPENED_BY_HAND);
    expect([reply.status, reply.headers.location, reply.headers['cache-control']]).toEqual([
      303,
      `${localhost()}/dashboard`,
      'no-store',
    ]);
    expect(reply.headers['set-cookie']?.every((line) => /; HttpOnly; Secure; SameSite=Lax$/.test(line))).toBe(true);
    const headers = { cookie: cookiesIn(reply) };
    const session = await host.call('GET', '/v1/auth/session', undefined, { key: null, headers });
    expect(session.body.user.email).toBe(host.info.owner_email);
    expect(session.body.organizations).toMatchObject([{ id: host.info.org_id, role: 'owner' }]);
  });

  it('stays at the host name under which it was opened, as cookies belong to it', async () => {
    const { host: address } = new URL(host.controlUrl);
    expect((await ask({ ...OPENED_BY_HAND, host: address })).headers.location).toBe(`${host.info.api}/dashboard`);
  });

  it.each(['cross-site', 'same-site', 'same-origin'])('is refused to a page that leads here: %s', async (site) => {
    const mails = async () => (await host.control('GET', `/mailbox?to=${host.info.owner_email}`)).body.length;
    const before = await mails();
    const reply = await ask({ ...OPENED_BY_HAND, 'sec-fetch-site': site });
    expect([reply.status, JSON.parse(reply.text).code, cookiesIn(reply)]).toEqual([403, 'bad_origin', '']);
    expect(await mails()).toBe(before);
  });

  it('is refused under another host name that was pointed to this machine', async () => {
    const reply = await ask({ ...OPENED_BY_HAND, host: 'evil.example' });
    expect([reply.status, cookiesIn(reply)]).toEqual([403, '']);
  });

  it('shows the page of the link, with its button, to a client that does not say where it comes from', async () => {
    const reply = await ask({});
    expect([reply.status, cookiesIn(reply)]).toEqual([303, '']);
    const page = await (await fetch(reply.headers.location ?? '')).text();
    expect(page).toContain(`<bdi>${host.info.owner_email}</bdi>`);
  });

  it('asks for the code of an owner with a second factor', async () => {
    const other = await startHost();
    await aTotpUser(other, other.info.owner_email);
    const reply = await ask(OPENED_BY_HAND, { of: other });
    expect([reply.status, cookiesIn(reply)]).toEqual([303, '']);
    expect(reply.headers.location).toMatch(/\/sign-in\?token=[A-Za-z0-9]{43}$/);
    await other.close();
  });

  it('says how long to wait when there were too many, and a browser that signed in before has more', async () => {
    const limited = await startHost({ rateLimits: true });
    const first = await ask(OPENED_BY_HAND, { of: limited });
    let reply = first;
    for (let times = 0; times < 50 && reply.status === 303; times += 1)
      reply = await ask(OPENED_BY_HAND, { of: limited });
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([429, 'rate_limited']);
    const page = await ask({ ...OPENED_BY_HAND, accept: 'text/html,*/*;q=0.8' }, { of: limited });
    expect([page.status, page.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8']);
    expect(page.text).toMatch(/<p>Too many sign-in links were requested\. Try again in \d+ seconds/);
    expect((await ask({ ...OPENED_BY_HAND, cookie: cookiesIn(first) }, { of: limited })).status).toBe(303);
    await limited.close();
  });
});

describe('the control server', () => {
  const preflight = (origin: string) =>
    ask({ origin, 'access-control-request-method': 'POST' }, { method: 'OPTIONS', path: '/clock' });

  it('lets pages of the API read what it returns: the Lab of the dashboard', async () => {
    for (const origin of [host.info.api, localhost()]) {
      const reply = await preflight(origin);
      expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([204, origin]);
      expect(reply.headers['access-control-allow-headers']).toBe('Content-Type');
      expect((await ask({ origin }, { path: '/clock' })).headers).toMatchObject({
        'access-control-allow-origin': origin,
        vary: 'origin',
      });
    }
  });

  it('lets no other page read it, also none of another port of this machine', async () => {
    for (const origin of ['http://localhost:5173', 'https://evil.example', 'null', `${localhost()}0`]) {
      const reply = await preflight(origin);
      expect([origin, reply.headers['access-control-allow-origin']]).toEqual([origin, undefined]);
      expect(reply.status).toBeGreaterThanOrEqual(400);
    }
  });

  it('never lets a page send cookies along', async () => {
    expect((await preflight(localhost())).headers['access-control-allow-credentials']).toBeUndefined();
  });
});
