import type { VelocityRule } from '#shared/domain/routing/fraud-policy.model.ts';
import { lengthOf } from '#shared/domain/routing/velocity.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { keyedHash, randomBits } from '#shared/kernel/ids.ts';
import type { VelocityAsk, VelocityPort } from '#shared/ports/fraud.port.ts';
import type { Change, Cond, Item, Key, TablePort } from '#shared/ports/table.port.ts';
import { keys } from '#shared/store/keys.ts';
import { enter, type Leaving, leave, ttlAfter } from '#shared/store/sliding-window.ts';
import { transactAmidOthers } from '#shared/store/transact-amid-others.ts';

/** Each payment that passed has its own attribute `e:<its bits>`, with time and amount. */
const ENTRY = 'e:';
type Entry = { readonly at: string; readonly amount: number };

/** Rounds after expired entries or concurrent writers. */
const ROUNDS = 20;

/**
 * One item per rule and value; several are passed in one transaction or not at all, so that none is counted in vain.
 */
export class VelocityRepo implements VelocityPort {
  readonly #table: TablePort;
  readonly #hashSecret: string;
  constructor(table: TablePort, hashSecret: string) {
    this.#table = table;
    this.#hashSecret = hashSecret;
  }

  async pass(asks: readonly VelocityAsk[], at: Date): Promise<readonly VelocityAsk[]> {
    if (asks.length < 2) return this.passEach(asks, at);
    let open = asks;
    for (let round = 0; round < ROUNDS && open.length > 0; round += 1) {
      const failed = await this.#passTogether(open, at);
      if (failed.length === 0) return [];
      const outside = failed.filter(({ ask, met }) => !isIn(met, ask, at));
      const stale = outside.map(({ ask, met }) => ({ ask, old: met && slidOut(met, ask.rule, at) }));
      const full = stale.filter(({ old }) => !old);
      if (full.length > 0) return full.map(({ ask }) => ask);
      await Promise.all(stale.map(({ ask, old }) => old && leave(this.#table, this.#keyOf(ask), old)));
      const within = failed.filter((each) => !outside.includes(each)).map(({ ask }) => ask);
      open = open.filter((ask) => !within.includes(ask));
    }
    if (open.length === 0) return [];
    throw new Error('Windows were changed by others again and again.');
  }

  async passEach(asks: readonly VelocityAsk[], at: Date): Promise<readonly VelocityAsk[]> {
    const entered = await Promise.all(
      asks.map((ask) =>
        enter(this.#table, this.#keyOf(ask), {
          change: entering(ask, at),
          room: roomFor(ask),
          isIn: (item) => isIn(item, ask, at),
          slidOut: (item) => slidOut(item, ask.rule, at),
        }),
      ),
    );
    return asks.filter((_, n) => entered[n]?.how === 'full');
  }

  /** The asks without room, with the items they met; then nothing is written. */
  async #passTogether(
    asks: readonly VelocityAsk[],
    at: Date,
  ): Promise<readonly { readonly ask: VelocityAsk; readonly met: Item | undefined }[]> {
    const writes = asks.map((ask) => ({ update: this.#keyOf(ask), change: entering(ask, at), cond: roomFor(ask) }));
    const written = await transactAmidOthers(this.#table, writes);
    return written.ok
      ? []
      : written.failed.flatMap(({ index, old }) => (asks[index] ? [{ ask: asks[index], met: old }] : []));
  }

  /** The value may be a token or a mail address, so only its keyed hash is stored. A changed rule starts anew. */
  #keyOf({ orgId, rule, value }: VelocityAsk): Key {
    const { field, window, currency = '' } = rule;
    return keys.velocity(
      keyedHash(this.#hashSecret, 'velocity', orgId, field, window, currency, value).toString('hex'),
    );
  }
}

const entryName = ({ paymentId }: VelocityAsk): string => ENTRY + randomBits(paymentId);

const entering = (ask: VelocityAsk, at: Date): Change => {
  const { amount, rule } = ask;
  return {
    set: {
      item_type: 'velocity',
      [entryName(ask)]: { at: at.toISOString(), amount },
      ttl: ttlAfter(at, lengthOf(rule)),
    },
    add: { count: 1, amount },
  };
};

/** Whether it is still in this window: an expired entry must be added anew. */
const isIn = (item: Item | undefined, ask: VelocityAsk, at: Date): boolean => {
  const entry = item?.[entryName(ask)] as Entry | undefined;
  return entry !== undefined && plus(entry.at, lengthOf(ask.rule)) > at;
};

/** Conditions have no arithmetic: "it must fit" is expressed as the most that may be there before. */
function roomFor(ask: VelocityAsk): Cond {
  const { max_payments, max_amount } = ask.rule;
  const [name, amount] = [entryName(ask), ask.amount];
  const all: Cond[] = [{ absent: name }, { any: [{ absent: 'count' }, { lt: ['count', max_payments] }] }];
  if (max_amount !== undefined)
    all.push(
      amount > max_amount ? { exists: name } : { any: [{ absent: 'amount' }, { le: ['amount', max_amount - amount] }] },
    );
  return { all };
}

type Old = readonly (readonly [name: string, entry: Pick<Entry, 'amount'>])[];

/** As many as one update can name. */
const MOST_AT_ONCE = 80;

function slidOut(item: Item, rule: VelocityRule, at: Date): Leaving | undefined {
  const edge = plus(at, -lengthOf(rule)).toISOString();
  const entries = Object.entries(item).filter(([name]) => name.startsWith(ENTRY)) as unknown as readonly (readonly [
    string,
    Entry,
  ])[];
  const old = entries.filter(([, entry]) => entry.at <= edge).slice(0, MOST_AT_ONCE);
  return old.length === 0 ? undefined : leaving(old);
}

const leaving = (entries: Old): Leaving => ({
  remove: entries.map(([name]) => name),
  add: { count: -entries.length, amount: -entries.reduce((sum, [, { amount }]) => sum + amount, 0) },
});
