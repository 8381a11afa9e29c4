/** Requests are counted in windows that begin with the clock's minutes and tens of seconds. */
export const RATE_CLASSES = {
  payments: { letter: 'p', limit: 100 },
  writes: { letter: 'w', limit: 100 },
  reads: { letter: 'r', limit: 500 },
} as const;
export type RateClass = keyof typeof RATE_CLASSES;

const MINUTE_SECONDS = 60;
const BURST = { letter: 't', limit: 200, seconds: 10 } as const;

type Limit = { readonly letter: string; readonly limit: number; readonly seconds: number; readonly sharesItem?: true };

/**
 * What else is limited than requests, each under a letter of its own. `sharesItem`: its windows lie in one item, of
 * which old ones are cleared.
 */
const LIMITS = {
  /** Payment starts at payment links' pages, by address. Counted apart from the address's requests. */
  link_start: { letter: 's', limit: 10, seconds: 600, sharesItem: true },
  /** Sign-in links: to one mail address, and from one source address. */
  sign_in_mail: { letter: 'm', limit: 5, seconds: 900 },
  sign_in_ask: { letter: 'a', limit: 20, seconds: 900 },
  /**
   * Tries of authenticator codes, right or wrong, by user. At this rate a guesser succeeds within a year with a chance
   * of 1 in 20.
   */
  code: { letter: 'c', limit: 50, seconds: 86_400, sharesItem: true },
  /** Mailed invitations: by organization, and by organization and recipient. */
  invitation: { letter: 'i', limit: 50, seconds: 86_400 },
  invitation_to_one: { letter: 'j', limit: 3, seconds: 86_400 },
} as const satisfies Readonly<Record<string, Limit>>;

/** Lengths in seconds of the windows that share an item with earlier and later ones, by letter. */
const LENGTHS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.values(RATE_CLASSES).map(({ letter }) => [letter, MINUTE_SECONDS])),
  [BURST.letter]: BURST.seconds,
  ...Object.fromEntries(
    Object.values<Limit>(LIMITS).flatMap(({ letter, seconds, sharesItem }) => (sharesItem ? [[letter, seconds]] : [])),
  ),
};

export type RateWindow = { readonly attribute: string; readonly limit: number; readonly endsAt: number };
export type RateState = { readonly limit: number; readonly remaining: number; readonly resetAt: number };

/**
 * The windows that a request of this class counts in now. A window's number is part of its name, so that a new one
 * needs no reset.
 */
export function windowsFor(rateClass: RateClass, at: Date): readonly RateWindow[] {
  const seconds = Math.floor(at.getTime() / 1000);
  const { letter, limit } = RATE_CLASSES[rateClass];
  return [
    windowAt(letter, limit, MINUTE_SECONDS, seconds),
    windowAt(BURST.letter, BURST.limit, BURST.seconds, seconds),
  ];
}

export function windowOf(what: keyof typeof LIMITS, at: Date): RateWindow {
  const { letter, limit, seconds } = LIMITS[what];
  return windowAt(letter, limit, seconds, Math.floor(at.getTime() / 1000));
}

function windowAt(letter: string, limit: number, length: number, seconds: number): RateWindow {
  const number = Math.floor(seconds / length);
  return { attribute: `${letter}${number}`, limit, endsAt: (number + 1) * length };
}

/** Names of expired windows; the latest expired one is kept, as clocks differ. */
export function staleWindows(at: Date): readonly string[] {
  const seconds = Math.floor(at.getTime() / 1000);
  const minute = Math.floor(seconds / MINUTE_SECONDS) - 2;
  return [
    ...Object.values(RATE_CLASSES).map(({ letter }) => `${letter}${minute}`),
    `${BURST.letter}${Math.floor(seconds / BURST.seconds) - 2}`,
  ];
}

/** The window closest to its limit, for the headers. `counted`: the attributes after this request, or without it. */
export function closest(windows: readonly RateWindow[], counted: Readonly<Record<string, unknown>>): RateState {
  const states = windows.map(({ attribute, limit, endsAt }) => ({
    limit,
    remaining: Math.max(0, limit - Number(counted[attribute] ?? 0)),
    resetAt: endsAt,
  }));
  return states.reduce((a, b) => (b.remaining / b.limit < a.remaining / a.limit ? b : a));
}

/** Full windows; refused until the last of them ends. */
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

/** More expired windows than usual, after idle time: worth a separate clean-up. */
export function leftBehind(item: Readonly<Record<string, unknown>>, at: Date): readonly string[] {
  const seconds = Math.floor(at.getTime() / 1000);
  const old = Object.keys(item).filter((name) => {
    const [, letter = '', number] = /^([a-z])(\d+)$/.exec(name) ?? [];
    const length = LENGTHS[letter];
    return length !== undefined && Number(number) < Math.floor(seconds / length) - 1;
  });
  return old.length > 8 ? old : [];
}
