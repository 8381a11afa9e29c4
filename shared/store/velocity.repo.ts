import type { VelocityRule } from '#shared/domain/fraud-policy.model.ts';
import { lengthOf } from '#shared/domain/velocity.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { keyedHash, randomBits } from '#shared/kernel/ids.ts';
import type { VelocityAsk, VelocityPort } from '#shared/ports/fraud.port.ts';
import type { Change, Cond, Item, Key, TablePort } from '#shared/ports/table.port.ts';
import { keys } from '#shared/store/keys.ts';

/** Each payment that passed is an attribute of its own: `e:<its bits>`, with when and how much. */
const ENTRY = 'e:';
type Entry = { readonly at: string; readonly amount: number };

/** Whoever finds the window full clears it of what has slid out, and asks again: others may do the same. */
const ROUNDS = 20;

/**
 * One item for each rule and value. Passing is one conditional update: a count below the limit, and the payment not there
 * yet. What has slid out of the window still counts until the limit is met; only then is it cleared away.
 */
export class VelocityRepo implements VelocityPort {
  readonly #table: TablePort;
  readonly #hashSecret: string;
  constructor(table: TablePort, hashSecret: string) {
    this.#table = table;
    this.#hashSecret = hashSecret;
  }

  async pass(ask: VelocityAsk, at: Date): Promise<boolean> {
    const [key, name] = [this.#keyOf(ask), entryName(ask)];
    for (let round = 0; round < ROUNDS; round += 1) {
      const written = await this.#table.update(key, entering(ask, name, at), roomFor(ask, name));
      if (written.ok || written.old?.[name] !== undefined) return true;
      const old = written.old && slidOut(written.old, ask.rule, at);
      if (!old || old.length === 0) return false;
      await this.#table.update(key, leaving(old), stillThere(old));
    }
    throw new Error('A window of the fraud policy was changed by others again and again.');
  }

  async giveBack(ask: VelocityAsk): Promise<void> {
    const entry = [[entryName(ask), { amount: ask.amount }]] as const;
    await this.#table.update(this.#keyOf(ask), leaving(entry), stillThere(entry));
  }

  /** The value may be a token or a mail address: it lies in the store as a keyed hash only. A rule that was changed begins anew. */
  #keyOf({ orgId, rule, value }: VelocityAsk): Key {
    const { field, window, currency = '' } = rule;
    return keys.velocity(keyedHash(this.#hashSecret, 'velocity', orgId, field, window, currency, value).toString('hex'));
  }
}

const entryName = ({ paymentId }: VelocityAsk): string => ENTRY + randomBits(paymentId);

/** For the store's own clean-up, once nothing in the item can be inside the window any more. */
const entering = ({ amount, rule }: VelocityAsk, name: string, at: Date): Change => ({
  set: { item_type: 'velocity', [name]: { at: at.toISOString(), amount }, ttl: Math.ceil(plus(at, 2 * lengthOf(rule)).getTime() / 1_000) },
  add: { count: 1, amount },
});

/** There is no arithmetic in conditions: what must still fit is said as what may be there at most. */
function roomFor({ rule, amount }: VelocityAsk, name: string): Cond {
  const { max_payments, max_amount } = rule;
  const all: Cond[] = [{ absent: name }, { any: [{ absent: 'count' }, { lt: ['count', max_payments] }] }];
  if (max_amount !== undefined) all.push(amount > max_amount ? { exists: name } : { any: [{ absent: 'amount' }, { le: ['amount', max_amount - amount] }] });
  return { all };
}

type Old = readonly (readonly [name: string, entry: Pick<Entry, 'amount'>])[];

/** As many as one update can name. */
const MOST_AT_ONCE = 80;

function slidOut(item: Item, rule: VelocityRule, at: Date): Old {
  const edge = plus(at, -lengthOf(rule)).toISOString();
  const entries = Object.entries(item).filter(([name]) => name.startsWith(ENTRY)) as unknown as readonly (readonly [string, Entry])[];
  return entries.filter(([, entry]) => entry.at <= edge).slice(0, MOST_AT_ONCE);
}

const leaving = (entries: Old): Change => ({
  remove: entries.map(([name]) => name),
  add: { count: -entries.length, amount: -entries.reduce((sum, [, { amount }]) => sum + amount, 0) },
});

const stillThere = (entries: Old): Cond => ({ all: entries.map(([name]): Cond => ({ exists: name })) });
