import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handleRun } from '#functions/workflow-runs/handle-run.usecase.ts';
import { CUSTOMER_LANGUAGES } from '#shared/domain/accounts/organization.model.ts';
import { receiptMail } from '#shared/domain/payments/receipt.rules.ts';
import { MailError, type MailErrorKind } from '#shared/ports/mail.port.ts';
import { sendReceipt } from '#shared/services/payments/send-receipt.service.ts';
import { aGuest, aLink, providerUrl } from '#test/support/guest-browser.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { inOrganization, type OrganizationUser } from '#test/support/members.ts';
import { aPayment } from '#test/support/payment.builder.ts';
import { act, drain, eventsOf, pay } from '#test/support/payment-steps.ts';
import { signIn } from '#test/support/people.ts';

let host: TestHost;
let owner: OrganizationUser;
beforeAll(async () => {
  host = await startHost();
  owner = inOrganization(await signIn(host, host.info.owner_email), host.info.org_id);
});
afterAll(() => host?.close());

let count = 0;
const someone = (): string => `customer-${++count}@example.com`;
const set = (settings: Body) => owner.request('PATCH', '/v1/organization/settings', settings);
const mailsTo = async (address: string): Promise<Body[]> => {
  await drain(host);
  return (await host.control('GET', `/mailbox?to=${encodeURIComponent(address)}`)).body;
};

describe('a receipt by mail', () => {
  it('is not sent unless the organization switched it on', async () => {
    const customer_email = someone();
    await pay(host, 'ok', { customer_email });
    expect(await mailsTo(customer_email)).toEqual([]);
  });

  it('is sent once for a succeeded payment, and says who was paid, what and when', async () => {
    await set({ email_receipts: true, support_email: 'help@shop.example', website_url: 'https://shop.example' });
    const customer_email = someone();
    const { id } = await pay(host, 'ok', { customer_email, description: 'Chair\nand table' });
    const mails = await mailsTo(customer_email);
    expect(mails).toHaveLength(1);
    expect(mails[0].subject).toBe('Your payment to Demo Shop');
    expect(mails[0].text).toMatch(/Test mode[\s\S]*Demo Shop \(Demo Shop Ltd\)[\s\S]*€50\.00 EUR[\s\S]*UTC/);
    for (const text of ['For: Chair and table', `Payment ID: ${id}`, 'help@shop.example', 'https://shop.example'])
      expect(mails[0].text).toContain(text);
    expect(Object.keys(await (await host.call('GET', `/v1/payments/${id}`)).body)).not.toContain('receipt');
  });

  it('is sent for a payment of a link', async () => {
    const link = await aLink(host);
    const visitor = aGuest(host);
    const customer_email = someone();
    const form = await visitor.open(link.url);
    expect(form.html).toMatch(/<label for="email">Email address <span class="hint">\(optional\)/);
    const going = await visitor.submit(form, 'start', { email: customer_email });
    await fetch(providerUrl(going), { method: 'POST', body: new URLSearchParams({ do: 'pay' }), redirect: 'manual' });
    expect(await mailsTo(customer_email)).toHaveLength(1);
  });

  it.each([
    ['fails', 'declined', 'fails'],
    ['has no address', 'ok', 'none'],
  ])('is not sent for a payment that %s', async (_, token, kind) => {
    const customer_email = someone();
    await pay(host, token, kind === 'none' ? {} : { customer_email });
    expect(await mailsTo(customer_email)).toEqual([]);
  });

  it('is sent once, however often and at how many places the event arrives', async () => {
    const customer_email = someone();
    const { id } = await pay(host, 'ok', { customer_email });
    await mailsTo(customer_email);
    const event = (await eventsOf(host, id)).find(({ type }) => type === 'payment.succeeded')!;
    const message = { id: event.id, org_id: host.info.org_id };
    await Promise.all(Array.from({ length: 8 }, () => sendReceipt(message, host.deps)));
    await act(host, id, 'refund', { amount: 100 });
    await sendReceipt(message, host.deps);
    expect(await mailsTo(customer_email)).toHaveLength(1);
  });

  it.each([
    ['is sent again after the mailer was busy', 'throttled', 1],
    ['is not sent again if the mailer rejects it', 'rejected', 0],
    ['is not tried again where no mail can be sent', 'unconfigured', 0],
    ['is sent again if the run died before the mail, as the message comes again', 'dies before', 1],
    ['is rather sent twice than never, if the run died after the mail', 'dies after', 2],
  ] as const)('%s', async (_, kind, expected) => {
    await set({ email_receipts: false });
    const { id } = await pay(host, 'ok', { customer_email: someone() });
    const event = (await eventsOf(host, id)).find(({ type }) => type === 'payment.succeeded')!;
    await set({ email_receipts: true });
    const sent: string[] = [];
    let fails = true;
    const send = async ({ to }: { readonly to: string }) => {
      const first = fails;
      fails = false;
      if (first && kind === 'dies before') throw new Error('The process ends here.');
      if (first && !kind.startsWith('dies')) throw new MailError(kind as MailErrorKind, 'The test says so.');
      sent.push(to);
      if (first && kind === 'dies after') throw new Error('The process ends here.');
    };
    const message = { kind: 'event', type: 'payment.succeeded', id: event.id, org_id: host.info.org_id };
    const run = (receiveCount: number) => handleRun(message, { ...host.deps, mail: { send } }, receiveCount);
    await run(1).catch(() => undefined);
    // Another copy of the message, which may be handled while the first one is.
    await run(1);
    for (const receiveCount of [2, 3]) await run(receiveCount);
    await run(1);
    expect(sent.length).toBe(expected);
  });

  it('that an earlier release has sent is not sent again', async () => {
    await set({ email_receipts: false });
    const { id } = await pay(host, 'ok', { customer_email: someone() });
    const event = (await eventsOf(host, id)).find(({ type }) => type === 'payment.succeeded')!;
    await set({ email_receipts: true });
    const payment = (await host.deps.payments.byId(id))!;
    await host.deps.payments.change(payment, (p) => ({ ...p, receipt: { by: 'earlier', at: p.created_at } }));
    const sent: string[] = [];
    const mail = { send: async ({ to }: { readonly to: string }) => void sent.push(to) };
    await sendReceipt({ id: event.id, org_id: host.info.org_id }, { ...host.deps, mail }, true);
    expect(sent).toEqual([]);
  });

  it('reaches only members who have signed in, until identity verification is approved', async () => {
    const organizations = {
      byId: async (id: string) => ({ ...(await host.deps.organizations.byId(id))!, kyc: 'pending' as const }),
    } as typeof host.deps.organizations;
    const sentTo: string[] = [];
    const mail = { send: async ({ to }: { readonly to: string }) => void sentTo.push(to) };
    for (const customer_email of [someone(), host.info.owner_email]) {
      await set({ email_receipts: false });
      const { id } = await pay(host, 'ok', { customer_email });
      const event = (await eventsOf(host, id)).find(({ type }) => type === 'payment.succeeded')!;
      await set({ email_receipts: true });
      await sendReceipt({ id: event.id, org_id: host.info.org_id }, { ...host.deps, organizations, mail });
    }
    expect(sentTo).toEqual([host.info.owner_email]);
  });
});

describe('the text of a receipt', () => {
  const organization = {
    id: 'org_1',
    name: 'Linden\r\nBcc: all@example.com',
    legal_name: null,
    kyc: 'approved',
    plan: 'free',
    created_at: '2026-11-28T09:00:00.000Z',
  } as const;

  it.each(CUSTOMER_LANGUAGES)('is whole in %s, with a subject of one line', (receipt_language) => {
    const settings = { email_receipts: true, receipt_language } as never;
    const { subject, text } = receiptMail(
      aPayment({ amount: 123_456, currency: 'EUR', mode: 'live' }),
      { ...organization, settings },
      '2026-11-28T09:05:00.000Z',
    );
    expect([/[\r\n]/.test(subject), subject.includes('Linden Bcc: all@example.com')]).toEqual([false, true]);
    expect(text).toMatch(/1[.,\s\u202f]?234[.,]56[\s\S]*2026[\s\S]*UTC/);
    expect(text).not.toMatch(/undefined|null|\[object/);
  });
});
