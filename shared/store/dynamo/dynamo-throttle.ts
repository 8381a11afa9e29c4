import { type Clock, systemClock } from '#shared/kernel/clock.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import { type Key, TableError } from '#shared/store/table/table.port.ts';
import { familyOf } from '#shared/store/table/write.rules.ts';

/** Why DynamoDB turned a call away: at the table or at which index, and for which limit. Never an id. */
export type Throttle = {
  /** `table`, or the index's name. */
  readonly resource: string;
  readonly operation: 'read' | 'write' | 'unknown';
  /** The limit, as DynamoDB names it, or `unknown`. */
  readonly limit: string;
};

/** One partition gets more than a partition takes, while the rest of the table may be idle. */
const KEY_RANGE = 'KeyRangeThroughputExceeded';

/** A throttled process tries many times a second, so a line stands for all throttles of its kind since the last one. */
const LINE_EVERY_MS = 1_000;

const UNEXPLAINED: Throttle = { resource: 'table', operation: 'unknown', limit: 'unknown' };
const THROTTLE_NAMES = new Set([
  'ProvisionedThroughputExceededException',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
  'ThrottlingException',
  'ThrottlingError',
]);

const OPERATIONS: Readonly<Record<string, Throttle['operation']>> = { Read: 'read', Write: 'write' };

type Reasons = readonly { readonly reason?: string; readonly resource?: string }[];

/** The throttles that an error of DynamoDB reports; none if it is about something else. */
export function throttlesIn(error: unknown): readonly Throttle[] {
  // What canceled a transaction was translated already.
  if (error instanceof TableError) return throttlesIn(error.cause);
  if (!(error instanceof Error)) return [];
  // DynamoDB's own exceptions begin the name with a capital, the general one of AWS does not.
  const { ThrottlingReasons, throttlingReasons, CancellationReasons } = error as Error & {
    readonly ThrottlingReasons?: Reasons;
    readonly throttlingReasons?: Reasons;
    readonly CancellationReasons?: readonly { readonly Code?: string }[];
  };
  const reasons = ThrottlingReasons ?? throttlingReasons ?? [];
  if (reasons.length > 0) return reasons.map(toThrottle);
  const isThrottle = [error.name, ...(CancellationReasons ?? []).map(({ Code = '' }) => Code)].some((name) =>
    THROTTLE_NAMES.has(name),
  );
  return isThrottle ? [UNEXPLAINED] : [];
}

/** A reason reads like `IndexWriteKeyRangeThroughputExceeded`, a resource is the ARN of the table or the index. */
function toThrottle({ reason = '', resource = '' }: Reasons[number]): Throttle {
  const [, operation, limit] = /^(?:Table|Index)(Read|Write)(\w+)$/.exec(reason) ?? [];
  return {
    resource: /\/index\/([\w.-]+)$/.exec(resource)?.[1] ?? 'table',
    operation: OPERATIONS[operation ?? ''] ?? 'unknown',
    limit: limit ?? 'unknown',
  };
}

/** The kind of an item by its partition key, `PAY` of `PAY#…`; `other` if the key does not begin with a kind. */
export const keyFamily = (key: Pick<Key, 'pk'>): string => /^[A-Z]+(?=#?$)/.exec(familyOf(key))?.[0] ?? 'other';

const isDenied = (error: unknown): boolean => error instanceof Error && error.name === 'AccessDeniedException';

export type ThrottleReporter = (error: unknown, keys: readonly Pick<Key, 'pk'>[]) => void;

/**
 * Writes throttles to the log, where they are metrics: a hot key has one of its own, as only a new key mends it. A call
 * that the role of the function may not make is an error, which the alarms see even where its caller goes on without.
 */
export function throttleReporter(log: Pick<LogPort, 'warn' | 'error'>, clock: Clock = systemClock): ThrottleReporter {
  const kinds = new Map<string, { count: number; lineAt: number }>();
  const familiesOf = (keys: readonly Pick<Key, 'pk'>[]) => [...new Set(keys.map(keyFamily))].sort().join(' ');
  return (error, keys) => {
    if (isDenied(error)) log.error('table_access_denied', { families: familiesOf(keys) });
    for (const throttle of throttlesIn(error)) {
      const families = familiesOf(keys);
      const kind = Object.values(throttle).concat(families).join();
      const { count, lineAt } = kinds.get(kind) ?? { count: 0, lineAt: Number.NEGATIVE_INFINITY };
      const now = clock.now().getTime();
      if (now - lineAt < LINE_EVERY_MS) {
        kinds.set(kind, { count: count + 1, lineAt });
        continue;
      }
      kinds.set(kind, { count: 0, lineAt: now });
      const event = throttle.limit === KEY_RANGE ? 'key_range_throttled' : 'table_throttled';
      log.warn(event, { ...throttle, families, throttles: count + 1 });
    }
  };
}
