/** Limits per minute. `letter` begins the name of a stored counter. */
export const RATE_CLASSES = {
  payments: { letter: 'p', limit: 100 },
  writes: { letter: 'w', limit: 100 },
  reads: { letter: 'r', limit: 500 },
} as const;
export type RateClass = keyof typeof RATE_CLASSES;

export const RATE_CLASS_NAMES = ['payments', 'writes', 'reads'] as const satisfies readonly RateClass[];

/** Limits per minute and key. The platform may raise those of an organization. */
export type OrganizationRate = Readonly<Record<RateClass, number>>;

export const DEFAULT_RATE: OrganizationRate = {
  payments: RATE_CLASSES.payments.limit,
  writes: RATE_CLASSES.writes.limit,
  reads: RATE_CLASSES.reads.limit,
};

export const isSameRate = (a: OrganizationRate | undefined, b: OrganizationRate | undefined): boolean =>
  a?.payments === b?.payments && a?.writes === b?.writes && a?.reads === b?.reads;

/** With all classes at this limit a key has 62 counters, which still fit into one transaction. */
export const MAX_RATE = 360_000;

const MINUTE_SECONDS = 60;
export const BURST = { letter: 't', limit: 200, seconds: 10 } as const;

/** A counter takes 1,000 requests a second; half of that leaves room for uneven arrivals. */
const REQUESTS_PER_COUNTER = 500;

const total = ({ payments, writes, reads }: OrganizationRate): number => payments + writes + reads;

/** The limit of the short window grows with the others. */
const burstLimit = (rate: OrganizationRate): number => Math.ceil((total(rate) * BURST.limit) / total(DEFAULT_RATE));

/** Over how many items the counters of a key are spread. */
export const rateShards = (rate: OrganizationRate): number =>
  Math.ceil(burstLimit(rate) / BURST.seconds / REQUESTS_PER_COUNTER);

/** A counter with a smaller share of a limit would be full too early, as its requests arrive by chance. */
const MIN_SHARE = 500;

/** The limits of a key, and over how many items its counters are spread. */
export type KeyLimits = { readonly rate: OrganizationRate; readonly shards: number };
export const DEFAULT_LIMITS: KeyLimits = { rate: DEFAULT_RATE, shards: 1 };

/** How many of the key's counters count requests of this class: the first ones. */
export const shardsOfClass = ({ rate, shards }: KeyLimits, rateClass: RateClass): number =>
  Math.min(shards, Math.max(1, Math.floor(rate[rateClass] / MIN_SHARE)));

/**
 * One counter of a key. Each takes its share of the limits: so all together never let more pass, and as requests choose
 * a counter at random, they let nearly as many pass.
 */
export type KeyCounter = KeyLimits & { readonly shard: number };

const ONE_COUNTER: KeyCounter = { ...DEFAULT_LIMITS, shard: 0 };

type Limit = { readonly letter: string; readonly limit: number; readonly seconds: number; readonly sharesItem?: true };

/**
 * Limits of single actions, per window of `seconds`. `sharesItem`: all windows are in one stored item, which is cleared
 * of old ones.
 */
export const ACTION_LIMITS = {
  /** Payments started on the pages of payment links, by IP address. Counted apart from the address's requests. */
  link_start: { letter: 's', limit: 10, seconds: 600, sharesItem: true },
  /**
   * Sign-in links: to one email address, and requested from one IP address. A browser that has signed in to the address
   * counts for itself, so that nobody else can use up its links.
   */
  sign_in_email: { letter: 'm', limit: 5, seconds: 900 },
  sign_in_email_daily: { letter: 'n', limit: 20, seconds: 86_400 },
  sign_in_request: { letter: 'a', limit: 20, seconds: 900 },
  /**
   * Authenticator codes tried, right or wrong, by user. At this rate the chance to guess one within a year is 1 in 20.
   */
  totp_code: { letter: 'c', limit: 50, seconds: 86_400, sharesItem: true },
  /** Recovery codes tried, by user. Counted apart: whoever used up the tries of the app does not block these. */
  recovery_code: { letter: 'k', limit: 50, seconds: 86_400, sharesItem: true },
  /** Invitations sent: by organization, and by organization and recipient. */
  invitation: { letter: 'i', limit: 50, seconds: 86_400 },
  invitation_to_recipient: { letter: 'j', limit: 3, seconds: 86_400 },
  /** Look-ups that an unsigned callback without our token causes, by payment. */
  unsigned_callback: { letter: 'u', limit: 1, seconds: 10, sharesItem: true },
} as const satisfies Readonly<Record<string, Limit>>;

/** Window lengths in seconds by letter, for the windows that share an item. */
const WINDOW_SECONDS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.values(RATE_CLASSES).map(({ letter }) => [letter, MINUTE_SECONDS])),
  [BURST.letter]: BURST.seconds,
  ...Object.fromEntries(
    Object.values<Limit>(ACTION_LIMITS).flatMap(({ letter, seconds, sharesItem }) =>
      sharesItem ? [[letter, seconds]] : [],
    ),
  ),
};

/** `limit`: of this counter. `total`: of all counters of the key together. */
export type RateWindow = {
  readonly attribute: string;
  readonly limit: number;
  readonly total: number;
  readonly endsAt: number;
};
export type RateState = { readonly limit: number; readonly remaining: number; readonly resetAt: number };

/**
 * The windows that a request of this class counts in. A window's number is in its name, so that no counter is reset.
 */
export function windowsFor(rateClass: RateClass, at: Date, counter = ONE_COUNTER): readonly RateWindow[] {
  const seconds = Math.floor(at.getTime() / 1000);
  const { letter } = RATE_CLASSES[rateClass];
  const { rate, shards, shard } = counter;
  return [
    shareOf(windowAt(letter, rate[rateClass], MINUTE_SECONDS, seconds), shardsOfClass(counter, rateClass), shard),
    shareOf(windowAt(BURST.letter, burstLimit(rate), BURST.seconds, seconds), shards, shard),
  ];
}

function shareOf(window: RateWindow, shards: number, shard: number): RateWindow {
  const [share, rest] = [Math.floor(window.total / shards), window.total % shards];
  return { ...window, limit: shard < rest ? share + 1 : share };
}

export function windowOf(action: keyof typeof ACTION_LIMITS, at: Date): RateWindow {
  const { letter, limit, seconds } = ACTION_LIMITS[action];
  return windowAt(letter, limit, seconds, Math.floor(at.getTime() / 1000));
}

function windowAt(letter: string, limit: number, length: number, seconds: number): RateWindow {
  const number = Math.floor(seconds / length);
  return { attribute: `${letter}${number}`, limit, total: limit, endsAt: (number + 1) * length };
}

/** Names of expired windows. The latest expired one stays, as clocks differ. */
export function staleWindows(at: Date): readonly string[] {
  const seconds = Math.floor(at.getTime() / 1000);
  const minute = Math.floor(seconds / MINUTE_SECONDS) - 2;
  return [
    ...Object.values(RATE_CLASSES).map(({ letter }) => `${letter}${minute}`),
    `${BURST.letter}${Math.floor(seconds / BURST.seconds) - 2}`,
  ];
}

/**
 * The window closest to its limit, for the headers. `counted`: the stored attributes, with or without this request. The
 * rest of one of several counters stands for all of them.
 */
export function closestToLimit(windows: readonly RateWindow[], counted: Readonly<Record<string, unknown>>): RateState {
  const states = windows.map(({ attribute, limit, total, endsAt }) => ({
    limit: total,
    remaining: Math.floor((Math.max(0, limit - Number(counted[attribute] ?? 0)) * total) / limit),
    resetAt: endsAt,
  }));
  return states.reduce((a, b) => (b.remaining / b.limit < a.remaining / a.limit ? b : a));
}

/** The windows at their limit. Requests are refused until the last of them ends. */
export function fullWindows(
  windows: readonly RateWindow[],
  counted: Readonly<Record<string, unknown>>,
): readonly RateWindow[] {
  return windows.filter(({ attribute, limit }) => Number(counted[attribute] ?? 0) >= limit);
}

/** Seconds until a request may pass again, at least 1. */
export function retryAfter(full: readonly RateWindow[], at: Date): number {
  const end = Math.max(...full.map((w) => w.endsAt));
  return Math.max(1, Math.ceil(end - at.getTime() / 1000));
}

const MAX_EXPIRED_WINDOWS = 8;

/** Many expired windows, as after a long idle time: worth a separate clean-up. */
export function abandonedWindows(item: Readonly<Record<string, unknown>>, at: Date): readonly string[] {
  const seconds = Math.floor(at.getTime() / 1000);
  const old = Object.keys(item).filter((name) => {
    const [, letter = '', number] = /^([a-z])(\d+)$/.exec(name) ?? [];
    const length = WINDOW_SECONDS[letter];
    return length !== undefined && Number(number) < Math.floor(seconds / length) - 1;
  });
  return old.length > MAX_EXPIRED_WINDOWS ? old : [];
}
