import { createHash } from 'node:crypto';
import type { CapacityProfile } from '#lib/aws/stages.ts';
import { CAPACITY } from '#lib/aws/stages.ts';
import type { KindLoad } from '#test/bench/payment-load.ts';
import { KINDS, LARGE_TENANT, ownerOf, type TenantSize, USUAL_TENANT } from '#test/bench/scale/key-families.ts';
import type { Heat, KeyHeat } from '#test/bench/scale/partition-model.ts';
import type { ScenarioLoads } from '#test/bench/scale/scenarios.ts';

/** A tenant's payments a second, and what each takes. */
export type TenantTraffic = {
  readonly id: string;
  readonly rate: number;
  readonly loads: readonly KindLoad[];
  readonly size: TenantSize;
};

const MEDIUM_TENANT: TenantSize = { lists: 16, copies: 4, counters: 4 };

/** What the platform gives a tenant of that rate, where it looks after them. */
const sizeFor = (rate: number): TenantSize => {
  if (rate > 800) return LARGE_TENANT;
  return rate > 200 ? MEDIUM_TENANT : USUAL_TENANT;
};

export type Mix = {
  readonly stageRate: number;
  /** The share of the largest tenant; the others are by Zipf's law, the second twice the third … */
  readonly largest: number;
  readonly tenants: number;
  /** Whether tenants have what they need, or all are as they began. */
  readonly grown: boolean;
  readonly loads: ScenarioLoads;
  /** The second tenant's receiver is dead. */
  readonly deadReceiver?: boolean;
  /** The share of payments whose provider is down. */
  readonly outage?: number;
};

export function tenantsOf(mix: Mix): readonly TenantTraffic[] {
  const { stageRate, largest, tenants, grown, loads, deadReceiver, outage = 0 } = mix;
  const weights = Array.from({ length: tenants - 1 }, (_, n) => 1 / (n + 1));
  const all = weights.reduce((sum, w) => sum + w, 0);
  const rates = [stageRate * largest, ...weights.map((w) => (stageRate * (1 - largest) * w) / all)];
  return rates.map((rate, n) => ({
    id: `tenant ${n + 1}`,
    rate,
    size: grown ? sizeFor(rate) : USUAL_TENANT,
    loads: blend(deadReceiver && n === 1 ? loads.deadReceiver : loads.usual, loads.pspOutage, outage),
  }));
}

/** The loads of two kinds of payments, by their shares. */
function blend(most: readonly KindLoad[], some: readonly KindLoad[], share: number): readonly KindLoad[] {
  if (share === 0) return most;
  return [...new Set([...most, ...some].map(({ name }) => name))].map((name) => {
    const [a, b] = [most, some].map((loads) => loads.find((load) => load.name === name));
    const mixed = (unit: 'wru' | 'rru') => (a?.[unit] ?? 0) * (1 - share) + (b?.[unit] ?? 0) * share;
    return { ...(a ?? b), name, wru: mixed('wru'), rru: mixed('rru') } as KindLoad;
  });
}

const placeOf = (key: string): number => createHash('sha256').update(key).digest().readUInt32BE(0) / 2 ** 32;

/** What a second of the mix is for each resource. */
export function heatOf(tenants: readonly TenantTraffic[], profile: CapacityProfile): ReadonlyMap<string, Heat> {
  const heats = new Map<string, { keys: KeyHeat[]; even: { wcu: number; rcu: number } }>();
  const stage = new Map<string, { wcu: number; rcu: number }>();
  const heat = (resource: string) => {
    const found = heats.get(resource) ?? { keys: [], even: { wcu: 0, rcu: 0 } };
    heats.set(resource, found);
    return found;
  };
  for (const { id, rate, loads, size } of tenants)
    for (const load of loads) {
      const { keys, even } = heat(load.name.split(' ')[0] ?? '');
      const [wcu, rcu] = [load.wru * rate, cached(load, profile, load.rru * rate)];
      const owner = ownerOf(load);
      if (owner === 'one') Object.assign(even, { wcu: even.wcu + wcu, rcu: even.rcu + rcu });
      else if (owner === 'tenant') keys.push(...shares(`${load.name} of ${id}`, spreadOf(load, size), wcu, rcu));
      else {
        const sum = stage.get(load.name) ?? { wcu: 0, rcu: 0 };
        stage.set(load.name, { wcu: sum.wcu + wcu, rcu: sum.rcu + rcu });
      }
    }
  for (const [name, { wcu, rcu }] of stage)
    heat(name.split(' ')[0] ?? '').keys.push(
      ...shares(name, KINDS[name]?.[0]?.partitions?.(LARGE_TENANT) ?? 1, wcu, rcu),
    );
  for (const { keys } of heats.values()) keys.sort((a, b) => a.at - b.at);
  return heats;
}

/** An uneven spread is as if over fewer partitions. */
const spreadOf = (load: KindLoad, size: TenantSize): number =>
  KINDS[load.name]?.[0]?.partitions?.(size) ?? Math.max(1, Math.floor(1 / load.hottest));

const shares = (name: string, count: number, wcu: number, rcu: number): readonly KeyHeat[] =>
  Array.from({ length: count }, (_, n) => ({ name, at: placeOf(`${name} ${n}`), wcu: wcu / count, rcu: rcu / count }));

const CACHED_S = 2;

/** A process that delivers reads a webhook configuration once in two seconds, and only so many processes deliver. */
function cached({ name }: KindLoad, profile: CapacityProfile, rcu: number): number {
  if (name !== 'table RECV') return rcu;
  const { 'webhook-delivery': fast, 'slow-deliveries': slow } = CAPACITY[profile].queueConcurrency;
  return Math.min(rcu, (fast + slow) / CACHED_S);
}
