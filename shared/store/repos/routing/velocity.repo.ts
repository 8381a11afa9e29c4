import type { VelocityRule } from '#shared/domain/routing/fraud-policy.model.ts';
import { windowLengthOf } from '#shared/domain/routing/velocity.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { keyedHash, randomBits } from '#shared/kernel/ids.ts';
import { noPause, retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import type { VelocityCheck, VelocityPort } from '#shared/ports/fraud.port.ts';
import { type KeyOf, movedCounter } from '#shared/store/hashed-keys.ts';
import { keys } from '#shared/store/keys.ts';
import {
  addToWindow,
  removeFromWindow,
  ttlAfter,
  WINDOW_ATTEMPTS,
  type WindowRemoval,
  windowConflict,
} from '#shared/store/sliding-window.ts';
import type { Condition, Item, ItemChange, Key, TablePort } from '#shared/store/table/table.port.ts';
import { transactWithRetry } from '#shared/store/transact-with-retry.ts';

/** Each counted payment has an attribute `e:<random bits of its id>`, with its time and amount. */
const ENTRY = 'e:';
type WindowEntry = { readonly at: string; readonly amount: number };

/**
 * One item per rule and value. A payment is counted under all its rules in one transaction, or under none, so that a
 * blocked payment uses up no limit.
 */
export class VelocityRepo implements VelocityPort {
  readonly #table: TablePort;
  readonly #config: HashConfig;
  constructor(table: TablePort, config: HashConfig) {
    this.#table = table;
    this.#config = config;
  }

  async countAllOrNone(checks: readonly VelocityCheck[], at: Date): Promise<readonly VelocityCheck[]> {
    if (checks.length < 2) return this.countEach(checks, at);
    await this.#moveCounters(checks);
    let open = checks;
    const attempt = async (): Promise<readonly VelocityCheck[] | undefined> => {
      const failed = await this.#countAllOrNone(open, at);
      const uncounted = failed.filter(({ check, item }) => !isCounted(item, check, at));
      const stale = uncounted.map(({ check, item }) => ({
        check,
        old: item && removalOfExpired(item, check.rule, at),
      }));
      const full = stale.filter(({ old }) => !old);
      if (full.length > 0) return full.map(({ check }) => check);
      await Promise.all(stale.map(({ check, old }) => old && removeFromWindow(this.#table, this.#keyOf(check), old)));
      const counted = failed.filter((each) => !uncounted.includes(each)).map(({ check }) => check);
      open = open.filter((check) => !counted.includes(check));
      return failed.length === 0 || open.length === 0 ? [] : undefined;
    };
    return retryOnConflict(attempt, windowConflict, { attempts: WINDOW_ATTEMPTS, wait: noPause });
  }

  async countEach(checks: readonly VelocityCheck[], at: Date): Promise<readonly VelocityCheck[]> {
    await this.#moveCounters(checks);
    const results = await Promise.all(
      checks.map((check) =>
        addToWindow(this.#table, this.#keyOf(check), {
          change: additionFor(check, at),
          condition: belowLimits(check),
          contains: (item) => isCounted(item, check, at),
          expiredEntries: (item) => removalOfExpired(item, check.rule, at),
        }),
      ),
    );
    return checks.filter((_, n) => results[n]?.outcome === 'full');
  }

  /** Returns the checks whose write failed, with the stored items. If any failed, nothing is written. */
  async #countAllOrNone(
    checks: readonly VelocityCheck[],
    at: Date,
  ): Promise<readonly { readonly check: VelocityCheck; readonly item: Item | undefined }[]> {
    const writes = checks.map((check) => ({
      update: this.#keyOf(check),
      change: additionFor(check, at),
      condition: belowLimits(check),
    }));
    const written = await transactWithRetry(this.#table, writes);
    if (written.ok) return [];
    return written.failed.flatMap(({ index, old }) => (checks[index] ? [{ check: checks[index], item: old }] : []));
  }

  /** A window is as long as a month. It does not begin again when the secret of its hash is replaced. */
  async #moveCounters(checks: readonly VelocityCheck[]): Promise<void> {
    if (!this.#config.rotations?.hashSecret) return;
    await Promise.all(checks.map((check) => movedCounter(this.#table, this.#config, keyOf(check))));
  }

  #keyOf(check: VelocityCheck): Key {
    return keyOf(check)(this.#config.hashSecret);
  }
}

/** The value may be a token or a mail address, so only its keyed hash is stored. A changed rule counts from zero. */
const keyOf =
  ({ orgId, rule, value }: VelocityCheck): KeyOf =>
  (hashSecret) => {
    const { field, window, currency = '' } = rule;
    return keys.velocity(keyedHash(hashSecret, 'velocity', orgId, field, window, currency, value).toString('hex'));
  };

const entryName = ({ paymentId }: VelocityCheck): string => ENTRY + randomBits(paymentId);

const additionFor = (check: VelocityCheck, at: Date): ItemChange => {
  const { amount, rule } = check;
  return {
    set: {
      item_type: 'velocity',
      [entryName(check)]: { at: at.toISOString(), amount },
      ttl: ttlAfter(at, windowLengthOf(rule)),
    },
    add: { count: 1, amount },
  };
};

/** Whether the payment is counted and still in the window. An expired entry must be added again. */
const isCounted = (item: Item | undefined, check: VelocityCheck, at: Date): boolean => {
  const entry = item?.[entryName(check)] as WindowEntry | undefined;
  return entry !== undefined && plus(entry.at, windowLengthOf(check.rule)) > at;
};

/** Conditions have no arithmetic, so the amount is subtracted from the limit instead of added to the sum. */
function belowLimits(check: VelocityCheck): Condition {
  const { max_payments, max_amount } = check.rule;
  const [name, amount] = [entryName(check), check.amount];
  const all: Condition[] = [{ absent: name }, { any: [{ absent: 'count' }, { lt: ['count', max_payments] }] }];
  if (max_amount !== undefined)
    all.push(
      amount > max_amount ? { exists: name } : { any: [{ absent: 'amount' }, { le: ['amount', max_amount - amount] }] },
    );
  return { all };
}

type ExpiredEntries = readonly (readonly [name: string, entry: Pick<WindowEntry, 'amount'>])[];

/** One update can name about this many attributes. */
const MAX_REMOVED = 80;

function removalOfExpired(item: Item, rule: VelocityRule, at: Date): WindowRemoval | undefined {
  const windowStart = plus(at, -windowLengthOf(rule)).toISOString();
  const entries = Object.entries(item).filter(([name]) => name.startsWith(ENTRY)) as unknown as readonly (readonly [
    string,
    WindowEntry,
  ])[];
  const old = entries.filter(([, entry]) => entry.at <= windowStart).slice(0, MAX_REMOVED);
  return old.length === 0 ? undefined : removalOf(old);
}

const removalOf = (entries: ExpiredEntries): WindowRemoval => ({
  remove: entries.map(([name]) => name),
  add: { count: -entries.length, amount: -entries.reduce((sum, [, { amount }]) => sum + amount, 0) },
});
