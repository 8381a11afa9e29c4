import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLocalOps } from '#lib/ops/local-ops.ts';
import type { OpsHost } from '#lib/ops/ops-host.ts';
import { opsOptions } from '#lib/ops/ops-options.ts';
import { runCommand } from '#lib/ops/run-command.ts';
import { localEnv } from '#shared/env.ts';
import { keys } from '#shared/store/keys.ts';
import { filedRefundKeys } from '#shared/store/repos/payments/payment-index.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { subscribe } from '#test/support/billing.ts';
import { aPaymentBody, startHost, type TestHost } from '#test/support/host.ts';
import { anOwner } from '#test/support/members.ts';
import { act, advance, create, drain, moneyOf, pay, payOnPage, read } from '#test/support/payment-steps.ts';
import { aRule, aTemplate } from '#test/support/workflows.ts';

const ORG = 'org_01jc0000000000000000000001';
const OPERATOR = 'operator@example.com';

let host: TestHost;
let table: TablePort;
let ops: OpsHost;
beforeAll(async () => {
  host = await startHost({
    wrapTable: (base) => {
      table = base;
      return base;
    },
  });
  const { deps, queue } = host;
  const deadLetters = {
    names: ['timers'],
    count: async () => (await queue.deadLetters('timers')).length,
    redrive: async () => `${await queue.redrive('timers')} sent back`,
  };
  ops = { deps, table, deadLetters, close: async () => undefined };
});
afterAll(() => host?.close());

const run = (...args: readonly string[]) => runCommand(opsOptions([...args, '--stage', 'sandbox', '--local']), ops);
const really = (...args: readonly string[]) => run(...args, '--yes', '--by', OPERATOR);
const audited = async () => (await host.deps.platform.auditEntries({ limit: 20, offset: 0 })).items;
const org = () => host.info.org_id;

describe('an ops command', () => {
  it.each([
    ['names no command', [], 'Name a command.'],
    ['does not exist', ['repair'], 'There is no command repair.'],
    ['has no stage', ['find', 'pay_1', '--local'], '--stage must be sandbox or live.'],
    ['has a flag that does not exist', ['find', '--force'], "Unknown option '--force'"],
    ['is to write for nobody', ['redrive', 'all', '--stage', 'live', '--yes'], '--yes needs --by'],
    [
      'has a day that is none',
      ['recount', 'org_1', '--stage', 'live', '--from', 'May'],
      '--from (and --to) must be days',
    ],
    [
      'has a day that no month has',
      ['recount', ORG, '--stage', 'live', '--from', '2027-06-31'],
      '--from (and --to) must be days',
    ],
    [
      'is to make entries of no days',
      ['reindex', ORG, '--stage', 'live', '--from', 'May'],
      '--from (and --to) must be days',
    ],
    ['has no first day', ['reindex', ORG, '--stage', 'live', '--to', '2027-06-30'], '--from (and --to) must be days'],
    [
      'has a time without its zone',
      ['reconcile', '--stage', 'live', '--from', '2027-03-01T10:00'],
      'must be times with their zone',
    ],
    ['has a number for a time', ['reconcile', '--stage', 'live', '--from', '5'], 'must be times with their zone'],
    [
      'mixes the two hosts',
      ['find', 'x', '--local', '--stage', 'live', '--table', 't'],
      'Leave them out with --local.',
    ],
  ])('that %s says what to do, with the usage', (_, args, message) => {
    expect(() => opsOptions(args)).toThrow(message);
    expect(() => opsOptions(args)).toThrow('npm run ops -- <command>');
  });

  it('with a flag that does not exist gets no advice about dashes', () => {
    expect(() => opsOptions(['find', '--force'])).not.toThrow('positional');
  });

  it('of an organization that does not exist says so, and does not report that all is well', async () => {
    const missing = 'org_01jc0000000000000000000009';
    for (const args of [
      ['quarantine', missing],
      ['recount', missing, '--from', '2026-01-01'],
      ['reindex', missing],
      ['reconcile', '--from', '2026-01-01T00:00Z', '--org', missing],
    ])
      await expect(run(...args)).rejects.toThrow(`There is no organization ${missing}.`);
  });

  it('on a folder without data says so, and creates nothing in it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payfork-ops-'));
    const { store, pspUrls, hashVersions } = localEnv({});
    const opening = openLocalOps('sandbox', { dataDir: folder, store, pspUrls, hashVersions });
    await expect(opening).rejects.toThrow(`There is no ${join(folder, 'sandbox.sqlite')}. Set DATA_DIR`);
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('of the documents is understood as it stands there', () => {
    const texts = ['docs/recovery.md', 'docs/aws.md'].map((document) => readFileSync(document, 'utf8'));
    const lines = texts.flatMap((text) => [...text.matchAll(/^npm run ops -- (.+)$/gm)].map(([, line = '']) => line));
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) {
      const args = line.replaceAll('"$T"', '2027-03-01T10:00:00Z').match(/"[^"]*"|\S+/g) ?? [];
      expect(() => opsOptions(args.map((arg) => arg.replaceAll('"', '')))).not.toThrow();
    }
  });

  it('writes nothing without --yes, and says so', async () => {
    const { text } = await run('quarantine', org());
    expect(text).toContain('Nothing was written. Add --yes');
    expect((await create(host)).status).toBe(201);
  });
});

describe('find', () => {
  it('shows where a payment lies and how it stands, by its id, its reference and its attempt', async () => {
    const payment = await pay(host);
    for (const text of [payment.id, payment.psp_reference, payment.attempts[0].id]) {
      const { text: shown, data } = await run('find', text);
      expect(data).toMatchObject([{ id: payment.id, kind: 'payment', facts: { status: 'succeeded', org_id: org() } }]);
      expect(shown).toContain('key              PAY#');
      expect(shown).toContain('index list');
    }
  });

  it('finds an authorized payment by its capture', async () => {
    const { body } = await host.call('POST', '/v1/payments', {
      amount: 5_000,
      currency: 'EUR',
      capture: 'manual',
      payment_method: { type: 'card', token: 'ok' },
    });
    const captured = await host.call('POST', `/v1/payments/${body.id}/capture`, { amount: 2_000, final: false });
    const [{ id }] = captured.body.captures;
    expect((await run('find', id)).data).toMatchObject([
      {
        id: body.id,
        kind: 'payment',
        facts: { status: 'authorized', authorized_amount: 5_000, captured_amount: 2_000 },
      },
    ]);
  });

  it('finds what lies with an organization without being told which', async () => {
    const [connection] = await host.deps.connections.list(org());
    const { data } = await run('find', connection?.id ?? '');
    expect(data).toMatchObject([
      { kind: 'connection', facts: { provider: 'stripe' }, location: { type: 'connection' } },
    ]);
    expect(JSON.stringify(data)).not.toContain('sealed');
  });

  it('shows a dispute by its id, and how its payment stands', async () => {
    const payment = await pay(host);
    host.simulators.openDispute('stripe', payment.id);
    await drain(host);
    const [dispute] = (await host.call('GET', `/v1/disputes?payment_id=${payment.id}`)).body.disputes;
    expect((await run('find', dispute.id)).data).toMatchObject([
      { kind: 'dispute', facts: { status: 'needs_response', payment_id: payment.id }, location: { type: 'dispute' } },
    ]);
    expect((await run('find', payment.id)).data).toMatchObject([{ facts: { amount_disputed: 5_000 } }]);
    expect((await run('reindex', dispute.id)).text).toContain('1 checked, 0 would be repaired');
  });

  it('finds a person by the mail address, and says when there is nothing', async () => {
    const { data, text: shown } = await run('find', host.info.owner_email);
    expect(data).toContainEqual(expect.objectContaining({ id: org(), kind: 'owner' }));
    expect(shown).not.toContain('undefined');
    expect((await run('find', 'pay_01jc0000000000000000000001')).text).toBe(
      'There is no pay_01jc0000000000000000000001.\n',
    );
    for (const id of ['req_01jc0000000000000000000001', 'req_JKJaXmPLvHcESHA=', `req_${randomUUID()}`])
      expect((await run('find', id)).text).toContain(`Search the lines with request_id ${id}`);
  });

  it('shows no token, card, mail address or customer of what it finds', async () => {
    const { body } = await create(
      host,
      aPaymentBody('ok', { customer_email: 'canary@example.com', description: 'canary' }),
    );
    expect(JSON.stringify(await run('find', body.id))).not.toMatch(/canary|sealed|token/);
  });

  it('looks for no API key, and does not print it', async () => {
    const { secret } = host.info.keys;
    await expect(run('find', secret)).rejects.toThrow('This is an API key.');
    await expect(run('find', secret)).rejects.not.toThrow(secret);
  });
});

describe('quarantine', () => {
  it('stops requests and charges of an organization, settles what is under way, and can be released', async () => {
    const waiting = await payOnPage(host);
    const { body: link } = await host.call('POST', '/v1/payment-links', { amount: 5_000, currency: 'EUR' });
    const subscription = await subscribe(host);
    await really('quarantine', org(), '--reason', 'stolen keys');

    const refused = await create(host);
    expect([refused.status, refused.body.code]).toEqual([403, 'organization_quarantined']);
    expect((await host.call('GET', `/v1/payments/${waiting.id}`)).body.code).toBe('organization_quarantined');
    await host.control('POST', '/psp/complete', { provider: 'stripe', reference: waiting.id, outcome: 'succeeded' });
    await drain(host);
    const before = (await host.control('GET', '/psp/calls')).body.calls.length;
    await fetch(link.url, { method: 'POST', body: new URLSearchParams() });
    expect((await host.control('GET', '/psp/calls')).body.calls).toHaveLength(before);
    await advance(host, '32d');
    await drain(host);
    expect(await moneyOf(host, waiting.id)).toMatchObject({ count: 1 });
    expect((await host.deps.payments.byId(waiting.id))?.status).toBe('succeeded');

    await really('quarantine', org(), '--release');
    const invoices = (path: string) => host.call('GET', `/v1/invoices?subscription_id=${path}`);
    expect((await invoices(subscription.id)).body.invoices).toHaveLength(1);
    await advance(host, '2h');
    expect((await invoices(subscription.id)).body.invoices).toHaveLength(2);
    expect((await create(host)).status).toBe(201);
  });

  it('lets no workflow refund what settles meanwhile', async () => {
    const key = host.info.keys.service;
    const template = await aTemplate(host, { key }, { steps: [{ id: 'back', type: 'refund_payment' }] });
    const rule = await aRule(host, { key }, { event: 'payment.succeeded', template_id: template.id });
    const waiting = await payOnPage(host);
    await really('quarantine', org(), '--reason', 'stolen keys');
    await host.control('POST', '/psp/complete', { provider: 'stripe', reference: waiting.id, outcome: 'succeeded' });
    await drain(host);
    await really('quarantine', org(), '--release');
    expect(await moneyOf(host, waiting.id)).toMatchObject({ count: 1, refunded: 0 });
    const { body } = await host.call('GET', `/v1/workflows/executions?template_id=${template.id}`);
    expect(body.executions).toMatchObject([{ status: 'failed', error: { code: 'organization_quarantined' } }]);
    await host.call('DELETE', `/v1/workflows/rules/${rule.id}`);
  });

  it('is in the log of the platform, with who did it and why', async () => {
    const [released, quarantined] = await audited();
    expect([released?.action, quarantined?.action]).toEqual(['organization_released', 'organization_quarantined']);
    expect(quarantined).toMatchObject({ actor_email: OPERATOR, target: { id: org() } });
    expect(quarantined?.metadata.reason).toContain('stolen keys');
  });

  it('lets members revoke the keys that were stolen, and make no new ones', async () => {
    const owner = await anOwner(host);
    const body = { name: 'Shop', kind: 'secret', scopes: ['payments:read'] };
    const made = await owner.request('POST', '/v1/api-keys', body);
    await really('quarantine', owner.org);
    expect((await owner.request('POST', '/v1/api-keys', body)).body.code).toBe('organization_quarantined');
    expect((await owner.request('DELETE', `/v1/api-keys/${made.body.id}`)).status).toBe(200);
    await really('quarantine', owner.org, '--release');
    const { status } = await host.call('GET', '/v1/payments', undefined, { key: made.body.key });
    expect(status).toBe(401);
  });

  it('of an organization that is not there changes nothing', async () => {
    await expect(really('quarantine', 'org_01jc0000000000000000000001')).rejects.toThrow('There is no organization');
  });
});

describe('recount', () => {
  const today = () => host.clock.now().toISOString().slice(0, 10);

  it('adds what the totals of a day lack, and finds them right afterwards', async () => {
    await pay(host);
    await drain(host);
    const day = today();
    await advance(host, '2d');
    const [before] = await host.deps.totals.days(org(), { from: day, to: day });
    if (!before) throw new Error('There are no totals.');
    const { sums: _, ...key } = before;
    const of = { kind: 'day', org_id: org(), ...key } as const;
    await host.deps.totals.add(
      of,
      { id: 'a gap' },
      [{ add: { succeeded: -1, volume: -5_000 }, seq: '1' }],
      host.clock.now(),
    );

    expect((await run('recount', org(), '--from', day)).data).toMatchObject([{ add: { succeeded: 1, volume: 5_000 } }]);
    await really('recount', org(), '--from', day);
    expect((await host.deps.totals.days(org(), { from: day, to: day }))[0]?.sums).toEqual(before.sums);
    expect((await run('recount', org(), '--from', day)).text).toContain('are right');
  });

  it('finds the totals of a day with a dispute right, and adds a dispute that they lack', async () => {
    const { id } = await pay(host);
    host.simulators.openDispute('stripe', id);
    await drain(host);
    const day = today();
    await advance(host, '2d');
    expect((await run('recount', org(), '--from', day)).text).toContain('are right');
    const [before] = await host.deps.totals.days(org(), { from: day, to: day });
    if (!before) throw new Error('There are no totals.');
    const { sums: _, ...key } = before;
    const of = { kind: 'day', org_id: org(), ...key } as const;
    const gap = [{ add: { dispute_needs_response: -1 }, seq: '1' }];
    await host.deps.totals.add(of, { id: 'a gap in disputes' }, gap, host.clock.now());
    expect((await run('recount', org(), '--from', day)).data).toMatchObject([{ add: { dispute_needs_response: 1 } }]);
  });

  it('counts no day that is not over, as its totals may lag', async () => {
    await expect(really('recount', org(), '--from', today())).rejects.toThrow('is not over yet');
  });
});

describe('recount-subscriptions', () => {
  it('adds what the totals of subscriptions lack, once their last change is settled', async () => {
    await subscribe(host);
    await drain(host);
    await expect(run('recount-subscriptions', org())).rejects.toThrow('changed in the last 5 minutes');
    await advance(host, '6m');
    expect((await run('recount-subscriptions', org())).text).toContain('are right');
    const today = host.clock.now().toISOString().slice(0, 10);
    const stored = async () =>
      (await host.deps.subscriptionTotals.since(org(), today, 'EUR')).find(({ day }) => day === null)?.sums;
    const before = await stored();
    const of = { kind: 'subscriptions', org_id: org(), currency: 'EUR', day: null } as const;
    const gap = [{ add: { active: -1, annual: -23_880 }, seq: '1' }];
    await host.deps.totals.add(of, { id: 'a gap in subscriptions' }, gap, host.clock.now());
    expect((await run('recount-subscriptions', org())).data).toMatchObject([{ add: { active: 1, annual: 23_880 } }]);
    await really('recount-subscriptions', org());
    expect(await stored()).toEqual(before);
    expect((await audited())[0]).toMatchObject({ metadata: { reason: `ops recount-subscriptions ${org()}` } });
  });
});

describe('reindex', () => {
  it('files the refunds of an earlier release, so that a search finds them', async () => {
    const { id } = await pay(host);
    const { refunds } = (await act(host, id, 'refund', { amount: 100 })).body;
    await table.delete(filedRefundKeys.filedRefund(refunds[0].id));
    const { data } = await run('reindex', id);
    expect(data).toMatchObject([{ id, faults: [{ index: 'refunds', stored: null, expected: id }] }]);
    await really('reindex', id);
    expect((await run('reindex', id)).text).toContain('1 checked, 0 would be repaired.');
    expect(await host.deps.refundIndex.paymentOf(refunds[0].id)).toBe(id);
  });

  it('gives a record the due entry back that it has lost', async () => {
    const { id } = await payOnPage(host);
    await table.update(keys.payment(id), { remove: ['due_pk', 'due_sk'] }, { exists: 'due_pk' });
    const { data } = await run('reindex', id);
    expect(data).toMatchObject([{ id, faults: [{ index: 'due', stored: null }] }]);
    await really('reindex', id);
    expect((await run('reindex', id)).text).toContain('1 checked, 0 would be repaired.');
    await advance(host, '2d');
    expect((await read(host, id)).status).toBe('failed');
  });

  it('goes through the records of an organization', async () => {
    const { text } = await run('reindex', org());
    expect(text).toMatch(/^\d+ checked, 0 would be repaired\./);
  });

  it('refuses what has no entries of its own', async () => {
    await expect(run('reindex', 'conn_01jc0000000000000000000001')).rejects.toThrow('Only these have entries');
  });
});

describe('redrive', () => {
  it('goes on with the other queues if one cannot be sent back, and fails in the end', async () => {
    const sent: string[] = [];
    const deadLetters = {
      names: ['busy', 'timers'],
      count: async () => 1,
      redrive: async (name: string) => {
        if (name === 'busy') throw new Error('It is being sent back already.');
        sent.push(name);
        return '1 sent back';
      },
    };
    const options = opsOptions(['redrive', 'all', '--stage', 'sandbox', '--local', '--yes', '--by', OPERATOR]);
    await expect(runCommand(options, { ...ops, deadLetters })).rejects.toThrow(
      /busy +1 +failed: It is being sent back already\.\n +timers +1 +1 sent back/,
    );
    expect(sent).toEqual(['timers']);
  });

  it('sends dead letters back, once they can be worked off', async () => {
    await host.deps.queue.send('timers', [{ body: { kind: 'nonsense' } }]);
    await expect.poll(() => ops.deadLetters.count('timers'), { timeout: 10_000 }).toBe(1);
    expect((await run('redrive', 'all')).text).toContain('timers             1');
    expect((await really('redrive', 'timers')).text).toContain('1 sent back');
    await expect.poll(() => ops.deadLetters.count('timers'), { timeout: 10_000 }).toBe(1);
    await expect(run('redrive', 'bus')).rejects.toThrow('There are: timers.');
  });
});
