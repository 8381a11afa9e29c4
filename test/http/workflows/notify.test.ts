import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aLiveShop, type LiveHost, startLiveHost } from '#test/http/live-host.support.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { acceptInvitation } from '#test/support/members.ts';
import { advance, drain } from '#test/support/payment-steps.ts';
import { signIn } from '#test/support/people.ts';
import { aWorkflowShop, mailsTo, requestsTo, respondWith, workflowShopOf } from '#test/support/workflow-shop.ts';

let host: TestHost;
let live: LiveHost;
beforeAll(async () => {
  [host, live] = await Promise.all([startHost(), startLiveHost()]);
});
afterAll(() => Promise.all([host?.close(), live?.close()]));

let mailboxes = 0;
const anAddress = () => `finance-${++mailboxes}@shop.example`;

describe('a message to Slack', () => {
  it('contains the values of its expressions as plain text', async () => {
    const shop = await aWorkflowShop(host);
    const { id: integration_id } = await shop.slack('slack');
    await shop.when('payment.succeeded', {
      type: 'notify',
      integration_id,
      message: '<!here> *{{ data.amount }}* from {{ data.metadata.name }}{{ data.metadata.none }}',
    });
    await shop.pay({ metadata: { name: '<!channel> & <https://evil.example|us>' } });
    const execution = await shop.execution();
    const [request] = await requestsTo(host, 'slack');
    expect(request?.body).toEqual({
      text: '<!here> *5000* from &lt;!channel&gt; &amp; &lt;https://evil.example|us&gt;',
    });
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'payfork-workflows' });
    expect(request?.headers).not.toHaveProperty('webhook-signature');
    expect(execution).toMatchObject({ status: 'succeeded', steps: [{ type: 'notify', output: { status_code: 200 } }] });
  });

  it('is sent again after a 500, and not after a 404', async () => {
    const shop = await aWorkflowShop(host);
    const { id: integration_id } = await shop.slack('slack-again');
    await shop.when('payment.succeeded', { type: 'notify', integration_id, message: 'Hello' });
    await respondWith(host, 'slack-again', 500, 200, 404);
    await shop.pay();
    await shop.executions();
    await advance(host, '10s');
    await shop.pay();
    const executions = await shop.executions();
    expect(executions.map(({ status, steps }) => [status, steps[0].tries])).toEqual([
      ['succeeded', 2],
      ['failed', 1],
    ]);
  });

  it('is sent to a URL that no response shows', async () => {
    const shop = await aWorkflowShop(host);
    const { id: integration_id } = await shop.slack('slack-canary-51');
    await shop.when('payment.succeeded', { type: 'notify', integration_id, message: 'Hello' });
    await shop.pay();
    const shown = JSON.stringify([
      await shop.execution(),
      (await shop.request('GET', '/v1/workflows/integrations')).body,
      host.logged,
    ]);
    expect(await requestsTo(host, 'slack-canary-51')).toHaveLength(1);
    expect(shown).not.toContain('slack-canary-51');
  });
});

describe('a mail', () => {
  it('is sent to each address, with the expressions in subject and text filled in', async () => {
    const shop = await aWorkflowShop(host);
    const addresses = [anAddress(), anAddress()];
    const { id: integration_id } = await shop.email(...addresses);
    const step = {
      type: 'notify',
      integration_id,
      subject: 'Paid: {{ data.amount }} {{ data.currency }}',
      message: 'By {{ data.metadata.name }}.\nThanks.',
    } as const;
    await shop.when('payment.succeeded', step);
    await shop.pay({ metadata: { name: 'Zoë' } });
    expect(await shop.execution()).toMatchObject({
      status: 'succeeded',
      steps: [{ output: { mailed: 2, rejected: 0 } }],
    });
    for (const to of addresses) {
      const [mail, ...more] = await mailsTo(host, to);
      expect([mail.to, mail.subject, more]).toEqual([to, 'Paid: 5000 EUR', []]);
      expect(mail.text).toBe('By Zoë.\nThanks.\n\n-- \nSent by the workflow "A template".\n');
    }
  });

  it.each([
    ['line breaks become spaces', 'x\r\nBcc: everybody@evil.example', 'For x Bcc: everybody@evil.example'],
    [
      'control characters, separators and direction marks become spaces',
      'a\u2028b\u0085c\u202Ed\u0000e',
      'For a b c d e',
    ],
    ['a long subject is truncated', 'y'.repeat(400), `For ${'y'.repeat(196)}`],
  ])('has a subject of one line, whatever the metadata contain: %s', async (_, name, subject) => {
    const shop = await aWorkflowShop(host);
    const to = anAddress();
    const { id: integration_id } = await shop.email(to);
    await shop.when('payment.succeeded', {
      type: 'notify',
      integration_id,
      subject: 'For {{ data.metadata.name }}',
      message: '{{ data.metadata.name }}',
    });
    await shop.pay({ metadata: { name: name.replaceAll('\u0000', '') } });
    expect((await shop.execution()).status).toBe('succeeded');
    const [mail] = await mailsTo(host, to);
    expect(mail.subject).toBe(subject.replace('d e', name.includes('\u0000') ? 'de' : 'd e'));
    expect(await mailsTo(host, 'everybody@evil.example')).toEqual([]);
  });

  it('is truncated between characters, never within one, as a Slack message is', async () => {
    const shop = await aWorkflowShop(host);
    const to = anAddress();
    const [{ id: email }, { id: slack }] = [await shop.email(to), await shop.slack(shop.org_id)];
    const text = { subject: '{{ data.metadata.name }}', message: '{{ data.metadata.name }}' };
    await shop.when(
      'payment.succeeded',
      { id: 'mail', type: 'notify', integration_id: email, ...text },
      { id: 'post', type: 'notify', integration_id: slack, ...text },
    );
    await shop.pay({ metadata: { name: `x${'😀'.repeat(245)}${'y'.repeat(8)}${'😀'.repeat(100)}`.slice(0, 499) } });
    expect((await shop.execution()).status).toBe('succeeded');
    const [[mail], [post]] = [await mailsTo(host, to), await requestsTo(host, shop.org_id)];
    expect([
      mail.subject.length,
      mail.subject.isWellFormed(),
      mail.text.isWellFormed(),
      post?.body.text.isWellFormed(),
    ]).toEqual([200, true, true, true]);
  });

  it.each([
    ['names the template when the step has no subject', {}, 'Workflow: A template'],
    ['has a default subject when the expression is empty', { subject: '{{ data.metadata.none }}' }, 'A workflow'],
  ])('%s', async (_, more, subject) => {
    const shop = await aWorkflowShop(host);
    const to = anAddress();
    const { id: integration_id } = await shop.email(to);
    await shop.when('payment.succeeded', { type: 'notify', integration_id, message: 'Hello', ...more });
    await shop.pay();
    await shop.execution();
    expect((await mailsTo(host, to)).map((mail) => mail.subject)).toEqual([subject]);
  });
});

describe('a mail of an unverified organization', () => {
  const strangers = { code: 'mail_failed', message: expect.stringContaining('members who have signed in') };
  const subjectsTo = async (at: TestHost, address: string) =>
    (await mailsTo(at, address)).map(({ subject }) => subject).filter((subject) => subject === 'Told');

  it('is sent to current members only', async () => {
    const [owner, kim] = [`owner-${anAddress()}`, `kim-${anAddress()}`];
    const me = await signIn(host, owner);
    const ask = async (method: string, path: string, body?: unknown) =>
      (await me.call(method, path, body, { org: me.org })).body;
    await ask('POST', '/v1/members', { email: kim, role: 'viewer' });
    const { user } = await acceptInvitation(host, kim);
    const templateFor = async (...to: readonly string[]): Promise<string> => {
      const { id: integration_id } = await ask('POST', '/v1/workflows/integrations', {
        name: 'Mail',
        type: 'email',
        config: { to },
      });
      const step = { id: 'notify', type: 'notify', integration_id, subject: 'Told', message: 'Hello' };
      return (await ask('POST', '/v1/workflows/templates', { name: 'Tell', steps: [step] })).id;
    };
    const [both, alone] = [await templateFor(kim, owner), await templateFor(kim)];
    await ask('POST', '/v1/webhooks/config', { url: `${host.controlUrl}/receiver/notify/hook`, events: ['*'] });
    const { id: event_id } = await ask('POST', '/v1/webhooks/test');
    const run = async (template_id: string) => {
      const { id } = await ask('POST', '/v1/workflows/executions', { template_id, event_id });
      await drain(host);
      return ask('GET', `/v1/workflows/executions/${id}`);
    };

    expect((await run(both)).steps).toMatchObject([{ status: 'succeeded', output: { mailed: 2, rejected: 0 } }]);
    expect((await me.call('DELETE', `/v1/members/${user.id}`, undefined, { org: me.org })).status).toBe(200);
    expect((await run(both)).steps).toMatchObject([{ status: 'succeeded', output: { mailed: 1, rejected: 1 } }]);
    expect(await run(alone)).toMatchObject({
      status: 'failed',
      error: strangers,
      steps: [{ tries: 1, output: { mailed: 0, rejected: 1 } }],
    });
    expect([await subjectsTo(host, kim), await subjectsTo(host, owner)]).toEqual([['Told'], ['Told', 'Told']]);
  });

  it('is not sent to strangers after the approval is withdrawn', async () => {
    const shop = workflowShopOf(live, await aLiveShop(live, { plan: 'scale', kyc: 'approved' }));
    const to = anAddress();
    const { id: integration_id } = await shop.email(to);
    await shop.when(
      'payment.succeeded',
      { type: 'delay', for: '1h' },
      { type: 'notify', integration_id, subject: 'Told', message: 'Hello' },
    );
    await shop.pay();
    await shop.executions();
    await live.decide(shop.org_id, { kyc: 'rejected' });
    await advance(live, '61m');
    await live.decide(shop.org_id, { kyc: 'approved' });
    expect(await shop.execution()).toMatchObject({ status: 'failed', error: strangers });
    expect(await subjectsTo(live, to)).toEqual([]);
  });
});
