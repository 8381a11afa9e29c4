import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { CAPACITY } from '#lib/aws/stages.ts';
import { shardOf } from '#shared/kernel/ids.ts';
import { agentIndexKeys, agentKeys } from '#shared/store/agent-keys.ts';
import { DUE_SHARDS, indexKeys, keys } from '#shared/store/keys.ts';
import { filedRefundKeys } from '#shared/store/repos/payments/payment-index.ts';
import { paymentMailKeys } from '#shared/store/repos/payments/payment-mail.repo.ts';
import { failedRequestKeys } from '#shared/store/repos/reporting/failure-log.repo.ts';
import { reviewIndexKeys, reviewKeys } from '#shared/store/review-keys.ts';
import { countPayments, type KindLoad, loadByKind, type PaymentLoad } from '#test/bench/payment-load.ts';
import { type Ceiling, ceilingsOf, PARTITION } from '#test/bench/scale/ceilings.ts';
import { INDEX_FAMILIES, KINDS, LARGE_TENANT, TABLE_FAMILIES, USUAL_TENANT } from '#test/bench/scale/key-families.ts';
import { paymentId } from '#test/support/payment.builder.ts';

/** At 5,000 payments a second each of 100 shards of the stream has full batches. */
const STREAM = { shards: 100, batch: 100, rounds: 1 };
const TENANT = 5_000;
const STAGE = 10_000;

let counted: PaymentLoad;
let loads: readonly KindLoad[];
beforeAll(async () => {
  counted = await countPayments({ payments: 12, projector: STREAM });
  loads = loadByKind(counted);
}, 60_000);

const over = (ceilings: readonly Ceiling[], owners: readonly string[]) =>
  ceilings.filter(({ owner, wcu, rcu }) => owners.includes(owner) && (wcu > PARTITION.wcu || rcu > PARTITION.rcu));

describe('the table of key families', () => {
  it('has a line for every key of the table and of its indexes', () => {
    expect(Object.keys(TABLE_FAMILIES).sort()).toEqual(
      Object.keys({
        ...keys,
        ...reviewKeys,
        ...agentKeys,
        ...failedRequestKeys,
        ...paymentMailKeys,
        ...filedRefundKeys,
      }).sort(),
    );
    expect(Object.keys(INDEX_FAMILIES).sort()).toEqual(
      Object.keys({ ...indexKeys, ...reviewIndexKeys, ...agentIndexKeys }).sort(),
    );
  });

  it('says for every family that many payments share how it is spread, or why none touches it', () => {
    const families = [...Object.values(TABLE_FAMILIES), ...Object.values(INDEX_FAMILIES)];
    const counted = new Set(Object.values(KINDS).flat());
    expect(
      families.filter(
        (family) => family.owner !== 'one' && !family.partitions && !family.because && !counted.has(family),
      ),
    ).toEqual([TABLE_FAMILIES.abTestTotals, TABLE_FAMILIES.routingSummary]);
  });
});

describe('the partitions that payments use', () => {
  it('are all of kinds whose spread is known', () =>
    expect(loads.map(({ name }) => name).filter((name) => !KINDS[name])).toEqual([]));

  it('are all named in docs/scale.md', () => {
    const page = readFileSync('docs/scale.md', 'utf8');
    const families = loads.map(({ name }) => name.split(' ')[1] ?? '').filter((name) => name === name.toUpperCase());
    expect(families.filter((family) => !page.includes(`| ${family}: `))).toEqual([]);
  });

  it('take one tenant of 5,000 payments a second, beside a stream of 100 shards', () =>
    expect(over(ceilingsOf(loads, LARGE_TENANT, TENANT), ['tenant'])).toEqual([]));

  it('take a stage of 10,000 payments a second', () =>
    expect(over(ceilingsOf(loads, LARGE_TENANT, STAGE), ['stage'])).toEqual([]));

  it('take 200 payments a second of a tenant that nobody has given anything', () =>
    expect(over(ceilingsOf(loads, USUAL_TENANT, 200), ['tenant'])).toEqual([]));

  it('have items that do not grow with the shards of the stream', () => {
    const sizes = counted.projector.costs.map(({ bytes }) => bytes);
    expect(Math.max(...sizes)).toBeLessThan(4_096);
  });

  it('are chosen evenly: of 64 shards none gets a fifth more than its share', () => {
    const many = 64 * 400;
    const counts = new Map<number, number>();
    for (let n = 0; n < many; n++) {
      const shard = shardOf(paymentId(n), DUE_SHARDS);
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
    expect(counts.size).toBe(DUE_SHARDS);
    expect(Math.max(...counts.values())).toBeLessThan(400 * 1.2);
  });
});

describe('a payment with two events delivered and its callbacks', () => {
  const unitsOf = (unit: 'wru' | 'rru') => loads.reduce((sum, load) => sum + load[unit], 0);

  it('takes no more than 15.5 write units and 5 read units, the projector included', () => {
    expect(unitsOf('wru')).toBeLessThanOrEqual(15.5);
    expect(unitsOf('rru')).toBeLessThanOrEqual(5);
  });

  it.each(['medium', 'large'] as const)('fits into the warm throughput of %s', (profile) => {
    const { paymentsPerSecond, warmThroughput } = CAPACITY[profile];
    const inTable = (unit: 'wru' | 'rru') =>
      loads.filter(({ name }) => name.startsWith('table ')).reduce((sum, load) => sum + load[unit], 0);
    expect(inTable('wru') * paymentsPerSecond).toBeLessThanOrEqual(warmThroughput?.table.writeUnitsPerSecond ?? 0);
    expect(inTable('rru') * paymentsPerSecond).toBeLessThanOrEqual(warmThroughput?.table.readUnitsPerSecond ?? 0);
    for (const index of ['list', 'lookup', 'due']) {
      const load = loads.filter(({ name }) => name.startsWith(`${index} `)).reduce((sum, { wru }) => sum + wru, 0);
      expect(load * paymentsPerSecond).toBeLessThanOrEqual(warmThroughput?.index.writeUnitsPerSecond ?? 0);
    }
  });
});
