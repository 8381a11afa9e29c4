import { describe, expect, it } from 'vitest';
import { namesOf } from '#lib/aws/function-table.ts';
import { mayAccess, TABLE_RIGHTS, type TableRights } from '#lib/aws/table-rights.ts';
import { newId } from '#shared/kernel/ids.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';
import { agentIndexKeys, agentKeys } from '#shared/store/agent-keys.ts';
import { indexKeys, keys } from '#shared/store/keys.ts';
import { paymentMailKeys } from '#shared/store/repos/payments/payment-mail.repo.ts';
import { failedRequestKeys } from '#shared/store/repos/reporting/failure-log.repo.ts';
import { reviewIndexKeys, reviewKeys } from '#shared/store/review-keys.ts';
import type { Key } from '#shared/store/table/table.port.ts';
import { accessesOf, familyOf, TABLE_ACTS, type TableAct } from '#shared/store/table/write.rules.ts';

const at = new Date('2026-05-01T00:00:00Z');
const orgId = newId('organization', at);

/** A key of each kind. What a maker takes, it puts behind the beginning of its key. */
const KEYS: readonly (readonly [name: string, pk: string])[] = [
  ...Object.entries<Key | ((...given: never[]) => Key)>(keys).map(
    ([name, make]) => [name, sample(name, make)] as const,
  ),
  ['totalLane', keys.totalLane(orgId, '', 'usage').pk],
  ...Object.entries<(...given: never[]) => Key>(failedRequestKeys).map(
    ([name, make]) => [name, sample(name, make)] as const,
  ),
  ['review', reviewKeys.review(newId('payment', at)).pk],
  ['agentLimits', agentKeys.agentLimits(orgId).pk],
  ['agentRequest', agentKeys.agentRequest(newId('approval', at)).pk],
  ['agentSpending', agentKeys.agentSpending(newId('key', at), 'EUR').pk],
  ['paymentMail', paymentMailKeys.paymentMail('hash', 'id').pk],
];

function sample(name: string, make: Key | ((...given: never[]) => Key)): string {
  if (typeof make !== 'function') return make.pk;
  if (name === 'sweepPage') return keys.sweepPage('DUE#1', at, 'x').pk;
  const first = /^payment(?!Method)|createResponse|secondaryCharge|refundPage/.test(name)
    ? newId('payment', at)
    : orgId;
  return (make as (...given: string[]) => Key)(first, 'second', 'third', 'fourth').pk;
}

const FAMILIES = [...new Set(KEYS.map(([, pk]) => familyOf({ pk })))].sort();
const listed = (rights: TableRights) => TABLE_ACTS.flatMap((act) => rights[act] ?? []);
const whoMay = (act: TableAct, family: string) =>
  namesOf(TABLE_RIGHTS).filter((name) => TABLE_RIGHTS[name][act]?.includes(family));

describe('the families of keys', () => {
  it.each(KEYS)('of %s is its beginning: %s', (_, pk) => {
    expect(familyOf({ pk })).toMatch(/^([A-Z]+#|PLATFORM|RECOVERIES|ACTS|HEALTH)$/);
  });

  it.each(
    Object.entries<(...given: never[]) => string>({ ...indexKeys, ...reviewIndexKeys, ...agentIndexKeys }).map(
      ([name, make]) => {
        const first = name === 'pspReference' ? 'stripe' : orgId;
        return [name, (make as (...given: unknown[]) => string)(first, 'second', 1)] as const;
      },
    ),
  )('of an index, too: %s, %s', (_, pk) => {
    expect(familyOf({ pk })).toMatch(/^(@[a-z]+#|org_|stripe#|DUE#)$/);
  });

  it('do not contain one another, so that a right for one is none for another', () => {
    const open = FAMILIES.filter((family) => family.endsWith('#'));
    expect(open.filter((family) => FAMILIES.some((other) => other !== family && other.startsWith(family)))).toEqual([]);
  });
});

describe('the rights of functions', () => {
  it('name only families that exist', () => {
    const named = [...new Set(Object.values(TABLE_RIGHTS).flatMap(listed))];
    expect(named.filter((family) => !FAMILIES.includes(family))).toEqual([]);
  });

  it('let some function read each family, and write each but the one of the self check', () => {
    const written = (family: string) => [...whoMay('put', family), ...whoMay('update', family)];
    const read = (family: string) => [
      ...whoMay('get', family),
      ...whoMay('query', family),
      ...whoMay('update', family),
    ];
    // A challenge is used up by the second put, which fails. Reviews are read from their index alone.
    expect(FAMILIES.filter((family) => read(family).length === 0)).toEqual(['CHALLENGE#', 'REVIEW#']);
    expect(FAMILIES.filter((family) => written(family).length === 0)).toEqual(['HEALTH']);
  });

  it('give the API document and the probe none', () => {
    expect([TABLE_RIGHTS.openapi, TABLE_RIGHTS.probe].map((rights) => [listed(rights), rights.index ?? {}])).toEqual([
      [[], {}],
      [[], {}],
    ]);
  });

  it('let callbacks write payments, what they keep for customers, disputes and counters, and nothing about keys, people or setups', () => {
    const { put = [], update = [], delete: deleted, check } = TABLE_RIGHTS['psp-webhooks'];
    expect([...new Set([...put, ...update])].sort()).toEqual([
      'ADDR#',
      'BUDGET#',
      'CUST#',
      'DISP#',
      'DPOLL#',
      'PAY#',
      'PM#',
      'STAT#',
    ]);
    expect([deleted, check]).toEqual([undefined, undefined]);
  });

  it.each<readonly [TableAct, string, readonly string[]]>([
    ['put', 'KEY#', ['api-keys']],
    ['delete', 'KEY#', ['api-keys', 'platform']],
    ['put', 'ORGKEYS#', ['api-keys']],
    ['put', 'SESS#', ['auth']],
    ['put', 'PASSKEY#', ['auth']],
    ['put', 'PLATFORM', ['auth', 'platform']],
    ['put', 'MEMBERS#', ['auth', 'organizations']],
    ['put', 'EVT#', ['webhooks', 'relay', 'timers', 'renewals']],
    ['put', 'RECV#', ['webhooks', 'webhook-delivery', 'slow-deliveries']],
    ['put', 'RETRY#', ['policies']],
    ['put', 'WORK#', ['workflows']],
    ['get', 'HELD#', ['projector', 'timers']],
    ['put', 'ERASE#', ['customers', 'timers']],
    ['delete', 'PM#', ['payment-methods', 'customers', 'timers']],
    ['delete', 'CUST#', ['payment-methods', 'timers']],
    ['delete', 'ORG#', ['routing-rules']],
    ['put', 'ORG#', ['connections', 'routing-rules', 'ab-tests', 'policies', 'auth', 'timers']],
  ])('to %s %s belong to these functions alone', (act, family, names) =>
    expect([...whoMay(act, family)].sort()).toEqual([...names].sort()),
  );

  it.each(namesOf(TABLE_RIGHTS))('of %s include no delete of a payment but that of a released claim', (name) => {
    const deletes = TABLE_RIGHTS[name].delete ?? [];
    const claims = TABLE_RIGHTS[name].put?.includes('PAY#') && TABLE_RIGHTS[name].update?.includes('KEY#');
    expect(deletes.includes('PAY#')).toBe(Boolean(claims));
  });

  it('to look payments up by a reference belong to what providers tell and list, for every provider', () => {
    const lookups = namesOf(TABLE_RIGHTS).filter((name) => TABLE_RIGHTS[name].index?.lookup?.includes('stripe#'));
    expect(lookups).toEqual(['search', 'psp-webhooks', 'timers']);
    expect(TABLE_RIGHTS['psp-webhooks'].index?.lookup).toEqual(expect.arrayContaining(PROVIDERS.map((p) => `${p}#`)));
  });
});

describe('what a call does', () => {
  const payment = keys.payment(newId('payment', at));
  const key = keys.apiKey('hash');

  it('is known for each item of a transaction', () => {
    const writes = [
      { put: { ...payment, n: 1 } },
      { update: key, change: { add: { n: 1 } } },
      { delete: keys.session('hash') },
      { check: keys.organization(orgId), condition: { exists: 'pk' } },
    ];
    expect(accessesOf('transact', [writes, 'token'])).toEqual([
      { act: 'put', family: 'PAY#' },
      { act: 'update', family: 'KEY#' },
      { act: 'delete', family: 'SESS#' },
      { act: 'check', family: 'ORG#' },
    ]);
  });

  it('is known for each key of a read, and for the partition of an index', () => {
    expect(accessesOf('getMany', [[payment, key]])).toEqual([
      { act: 'get', family: 'PAY#' },
      { act: 'get', family: 'KEY#' },
    ]);
    const where = { pk: indexKeys.due('x', 3), limit: 1 };
    for (const method of ['entries', 'count'] as const)
      expect(accessesOf(method, ['due', where])).toEqual([{ act: 'query', family: 'DUE#', index: 'due' }]);
    expect(mayAccess('timers', { act: 'query', family: 'DUE#', index: 'due' })).toBe(true);
    expect(mayAccess('payments', { act: 'query', family: 'DUE#', index: 'due' })).toBe(false);
    // An index's entries are no items.
    expect(mayAccess('timers', { act: 'query', family: 'DUE#' })).toBe(false);
  });
});
