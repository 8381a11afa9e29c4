import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/store/keys.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { aGuest, aLink } from '#test/support/guest-browser.ts';
import { anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { aMember, anOwner, inOrganization, type OrganizationUser } from '#test/support/members.ts';
import { changed } from '#test/support/memory-store.ts';
import { signIn } from '#test/support/people.ts';

let host: TestHost;
let demo: OrganizationUser;
/** Runs right before the next change of an organization is written. */
let concurrentChange: ((table: TablePort) => Promise<unknown>) | undefined;
beforeAll(async () => {
  host = await startHost({
    wrapTable: (table) =>
      changed(table, {
        transact: async (writes, token) => {
          const isChange = writes.some((write) => 'update' in write && write.update.sk === 'org');
          const act = isChange ? concurrentChange : undefined;
          if (act) concurrentChange = undefined;
          await act?.(table);
          return table.transact(writes, token);
        },
      }),
  });
  demo = inOrganization(await signIn(host, host.info.owner_email), host.info.org_id);
});
afterAll(() => host?.close());

const PATH = '/v1/organization/settings';
const NOTHING = {
  support_email: null,
  support_phone: null,
  website_url: null,
  logo_url: null,
  email_receipts: false,
  receipt_language: 'en',
};
const change = (by: OrganizationUser, body: Body) => by.request('PATCH', PATH, body);

describe('the settings of an organization', () => {
  it('show and mail nothing until they are changed, and keep what a change omits', async () => {
    const owner = await anOwner(host);
    expect((await owner.request('GET', PATH)).body).toEqual(NOTHING);
    const contact = { support_email: 'help@shop.example', support_phone: '+44 20 7946 0000' };
    expect((await change(owner, contact)).body).toEqual({ ...NOTHING, ...contact });
    expect((await change(owner, { email_receipts: true, receipt_language: 'fr' })).body).toEqual({
      ...NOTHING,
      ...contact,
      email_receipts: true,
      receipt_language: 'fr',
    });
    expect((await change(owner, { support_phone: null })).body.support_phone).toBeNull();
    expect((await change(owner, {})).status).toBe(200);
  });

  it('are read by members and secret keys, and changed by administrators', async () => {
    const owner = await anOwner(host);
    const [admin, member] = [await aMember(host, owner, 'admin'), await aMember(host, owner, 'member')];
    expect((await change(admin, { email_receipts: true })).status).toBe(200);
    expect((await change(member, { email_receipts: false })).body.code).toBe('missing_role');
    expect((await member.request('GET', PATH)).body.email_receipts).toBe(true);
    const { key } = await anOrganization(host);
    expect((await host.call('GET', PATH, undefined, { key })).body).toEqual(NOTHING);
    expect((await host.call('GET', PATH, undefined, { key: host.info.keys.public })).body.code).toBe('missing_role');
  });

  it.each<[string, Body]>([
    ['a logo without https', { logo_url: 'http://shop.example/logo.png' }],
    ['a logo on a private address', { logo_url: 'https://10.0.0.1/logo.png' }],
    ['a logo in the address itself', { logo_url: 'data:image/png;base64,AAAA' }],
    ['a website that is a script', { website_url: 'javascript:alert(1)' }],
    ['a website with a password', { website_url: 'https://user:pass@shop.example' }],
    ['an address that is none', { support_email: 'nobody' }],
    ['a phone number that is none', { support_phone: 'call me' }],
    ['a language that we do not speak', { receipt_language: 'xx' }],
    ['receipts that are neither on nor off', { email_receipts: 'yes' }],
    ['an unknown setting', { colour: 'red' }],
  ])('refuse %s', async (_, body) => {
    const owner = await anOwner(host);
    const refused = await change(owner, body);
    expect([refused.status, refused.body.details.fields[0].path]).toEqual([400, Object.keys(body)[0]]);
    expect((await owner.request('GET', PATH)).body).toEqual(NOTHING);
  });

  it('keep both of two changes at once', async () => {
    const owner = await anOwner(host);
    concurrentChange = (table) =>
      table.update(keys.organization(owner.org), { set: { settings: { ...NOTHING, support_phone: '+1 555 0100' } } });
    expect((await change(owner, { support_email: 'help@shop.example' })).body).toMatchObject({
      support_email: 'help@shop.example',
      support_phone: '+1 555 0100',
    });
  });

  it('are not touched by a new name, and leave the name alone', async () => {
    const owner = await anOwner(host);
    await change(owner, { support_email: 'help@shop.example' });
    await owner.request('PATCH', '/v1/organization', { name: 'Renamed' });
    expect((await owner.request('GET', PATH)).body.support_email).toBe('help@shop.example');
    expect((await owner.request('GET', '/v1/organization')).body.name).toBe('Renamed');
  });
});

it('a payment page says who is paid, whom to ask, and the way back, and loads the logo from its server only', async () => {
  const settings = {
    support_email: 'help@shop.example',
    support_phone: '+44 20 7946 0000',
    website_url: 'https://shop.example/?a=1&b=2',
    logo_url: 'https://cdn.shop.example/logo.png?v="><script>',
  };
  const bare = await aGuest(host).open((await aLink(host)).url);
  expect([bare.html.includes('<img'), bare.headers.get('content-security-policy')?.includes('img-src')]).toEqual([
    false,
    false,
  ]);
  expect((await change(demo, settings)).status).toBe(200);
  const { html, headers } = await aGuest(host).open((await aLink(host)).url);
  for (const text of [
    'Seller: <bdi>Demo Shop Ltd</bdi>',
    'href="mailto:help@shop.example"',
    'href="tel:+442079460000"',
    'href="https://shop.example/?a=1&amp;b=2">Back to the shop</a>',
    'referrerpolicy="no-referrer"',
    'Payment method: <strong>Card</strong>',
  ])
    expect(html).toContain(text);
  expect(html).not.toContain('<script>"');
  expect(headers.get('content-security-policy')).toContain('img-src https://cdn.shop.example;');
});
