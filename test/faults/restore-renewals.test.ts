import { randomUUID } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ReconcileDeps, reconcile } from '#lib/recovery/reconcile.ts';
import { PspNotSent, PspOutcomeUnknown, type PspTransaction } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain, moneyOf } from '#test/support/payment-steps.ts';
import { openShops, openSubscription, pay, type Shop } from '#test/support/restore-drill.ts';
import { copyOfDatabase, replaceableTable, tableIn } from '#test/support/restored-table.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const PATIENCE = 60_000;

/** They list charges, and charge a saved card again. Some show no text of a charge. */
const RENEWING = ['checkout', 'flutterwave', 'paypal', 'paystack', 'stripe'] as const;

/** A subscription, and the invoice of the renewal that the restored table does not have. */
type Renewal = { readonly shop: Shop; readonly id: string; readonly invoice: Body };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let host: TestHost;
let from: Date;
const renewals = new Map<string, Renewal>();
let restore: () => void;

const at = (provider: string): Renewal => {
  const found = renewals.get(provider);
  if (!found) throw new Error(`There is no subscription at ${provider}.`);
  return found;
};
const invoicesOf = async ({ key }: Shop, id: string): Promise<readonly Body[]> =>
  (await host.call('GET', `/v1/invoices?subscription_id=${id}`, undefined, { key })).body.invoices;

/** The table comes back as it was before the renewals were charged. */
beforeAll(async () => {
  folder = await temporaryFolder();
  const table = replaceableTable();
  const dataDir = folder.path('data');
  host = await startHost({
    dataDir,
    store: 'sqlite',
    emulator: undefined,
    wrapTable: table.wrap,
    wrapDue: table.wrapDue,
  });
  const opened: Omit<Renewal, 'invoice'>[] = [];
  for (const shop of await openShops(host))
    if (RENEWING.some((provider) => provider === shop.provider))
      opened.push({ shop, id: (await openSubscription(host, shop)).id });
  copyOfDatabase(`${dataDir}/sandbox.sqlite`, folder.path('copy.sqlite'));
  from = host.clock.now();
  await advance(host, '32d');
  await drain(host);
  for (const { shop, id } of opened) {
    const [invoice] = await invoicesOf(shop, id);
    renewals.set(shop.provider, { shop, id, invoice });
  }
  restore = () => {
    const again = folder.path(`${randomUUID()}.sqlite`);
    copyFileSync(folder.path('copy.sqlite'), again);
    table.replaceBy(tableIn(again));
  };
}, PATIENCE);
beforeEach(() => restore());
afterAll(async () => {
  await host?.close();
  await folder?.remove();
});

/** The providers, where `change` makes a part of a session fail or say less. */
const depsWith = (change: (session: PspSession) => Partial<PspSession>): ReconcileDeps => ({
  ...host.deps,
  psp: {
    ...host.deps.psp,
    open: async (...args) => {
      const session = await host.deps.psp.open(...args);
      return { ...session, ...change(session) };
    },
  },
});

const withoutLookUps = () =>
  depsWith(() => ({ fetch: () => Promise.reject(new PspOutcomeUnknown('It does not answer.')) }));

/** A provider that takes only some calls a second: each one the third time. */
function limiting(pauses: number[]) {
  let calls = 0;
  const limited = <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1;
    return calls % 3 === 0 ? call() : Promise.reject(new PspNotSent('rate_limited', 'Slower.', { retryAfter: 7 }));
  };
  const deps = depsWith(({ fetch, listTransactions }) => ({
    fetch: (ref) => limited(() => fetch(ref)),
    listTransactions: (query) => limited(() => listTransactions(query)),
  }));
  return { ...deps, wait: async (ms: number) => void pauses.push(ms) };
}

const listing = (change: (item: PspTransaction) => PspTransaction) =>
  depsWith((session) => ({
    listTransactions: async (query) => {
      const page = await session.listTransactions(query);
      return page && { ...page, items: page.items.map(change) };
    },
  }));

const reconciled = (deps: ReconcileDeps, { orgId }: Shop) =>
  reconcile({ from, until: host.clock.now(), write: true, orgId }, deps);

const sweep = async () => {
  await advance(host, '5m');
  await drain(host);
};

describe('a renewal that was charged after the time of the restored table', () => {
  it('is not judged if only another organization is compared', async () => {
    const { renewals: judged } = await reconciled(host.deps, at('paypal').shop);
    expect(judged.map(({ org_id }) => org_id)).toEqual([at('paypal').shop.orgId]);
  });

  it.each([
    ['postponed', 'its charge cannot be looked up now', withoutLookUps],
    [
      'paused',
      'the list does not name its payment',
      () => listing((item) => ({ ...item, ids: {}, attemptId: 'atm_1', description: undefined })),
    ],
    ['paused', 'the amount in the list is not understood', () => listing((item) => ({ ...item, money: undefined }))],
  ] as const)('is %s, and not charged again, while %s', async (result, _, deps) => {
    const { shop, id } = at('stripe');
    const { charges, renewals: judged } = await reconciled(deps(), shop);
    expect(charges.some((charge) => charge.result === 'not_recovered')).toBe(true);
    expect(judged).toMatchObject([{ subscription_id: id, result }]);
    await sweep();
    expect(await invoicesOf(shop, id)).toHaveLength(1);
  });

  it('waits if the list of its provider does not end', async () => {
    const { shop, id } = at('stripe');
    const endless = depsWith(() => ({ listTransactions: async () => ({ items: [], next: 'here' }) }));
    const { connections, renewals: judged } = await reconciled({ ...endless, wait: async () => undefined }, shop);
    expect(connections).toMatchObject([{ result: 'failed', reason: expect.stringContaining('does not end') }]);
    expect(judged).toMatchObject([{ subscription_id: id, result: 'postponed' }]);
  });

  it('is billed at a provider that limits our calls, after the pauses that it asks for', async () => {
    const { shop, id } = at('stripe');
    const pauses: number[] = [];
    expect((await reconciled(limiting(pauses), shop)).renewals).toMatchObject([
      { subscription_id: id, result: 'billed' },
    ]);
    expect(new Set(pauses)).toEqual(new Set([7_000]));
  });

  it.each(RENEWING)(
    'is billed with its charge at %s under its old invoice, and not charged again',
    async (provider) => {
      const { shop, id, invoice } = at(provider);
      const { payment_id, number } = invoice;
      expect((await reconciled(host.deps, shop)).renewals).toMatchObject([
        { subscription_id: id, result: 'billed', payment_id },
      ]);
      await sweep();
      const [newest, ...earlier] = await invoicesOf(shop, id);
      expect(newest).toMatchObject({ id: invoice.id, number, payment_id, status: 'paid' });
      expect(earlier).toHaveLength(1);
      expect(await moneyOf(host, payment_id)).toMatchObject({ count: 1 });
    },
  );
});

describe('a comparison while payments run', () => {
  it('neither refunds nor adds anything to them', async () => {
    const { shop } = at('stripe');
    // What tests before have charged is not in this table, and older than the provider's clock may be behind.
    await advance(host, '10m');
    const began = host.clock.now();
    let running = true;
    const compare = async () => {
      const results: string[] = [];
      while (running) {
        const { charges } = await reconcile(
          { from: began, until: new Date(began.getTime() + 3_600_000), write: true, orgId: shop.orgId },
          host.deps,
        );
        results.push(...charges.map(({ result }) => result));
      }
      return results;
    };
    const compared = compare();
    const made = await Promise.all(Array.from({ length: 60 }, (_, n) => pay(host, shop, `beside-${n}`)));
    running = false;
    const results = await compared;
    await sweep();
    expect(results.length).toBeGreaterThan(0);
    for (const { status, body } of made) {
      expect([status, body.status]).toEqual([201, 'succeeded']);
      expect(await moneyOf(host, body.id)).toMatchObject({ count: 1, refunded: 0 });
      expect((await host.deps.payments.byId(body.id))?.attempts).toHaveLength(1);
    }
    expect(results).not.toContain('recovered');
  });
});
