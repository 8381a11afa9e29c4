/** Requests are counted in windows that begin with the clock's minutes and tens of seconds. */
export const RATE_CLASSES = { payments: { letter: 'p', limit: 100 }, writes: { letter: 'w', limit: 100 }, reads: { letter: 'r', limit: 500 } } as const;
export type RateClass = keyof typeof RATE_CLASSES;

const MINUTE_SECONDS = 60;
const BURST = { letter: 't', limit: 200, seconds: 10 } as const;
/** Starts of payments at the pages of payment links, of one address. */
const LINK_STARTS = { letter: 's', limit: 10, seconds: 600 } as const;

/** Sign-in links: to one mail address, and asked for from one source address. */
const SIGN_IN_MAILS = { letter: 'm', limit: 5, seconds: 900 } as const;
const SIGN_IN_ASKS = { letter: 'a', limit: 20, seconds: 900 } as const;

/** Codes of a user's authenticator app that are tried, right or wrong. In a year of nothing else a guesser finds one with a chance of 1 in 20. */
const CODES = { letter: 'c', limit: 50, seconds: 86_400 } as const;

/** Mailed invitations: of one organization, and of one organization to the same address. */
const INVITATIONS = { letter: 'i', limit: 50, seconds: 86_400 } as const;
const INVITATIONS_TO_ONE = { letter: 'j', limit: 3, seconds: 86_400 } as const;

/** How long the windows of a letter are that share an item with those before and after them, in seconds. */
const LENGTHS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.values(RATE_CLASSES).map(({ letter }) => [letter, MINUTE_SECONDS])),
  [BURST.letter]: BURST.seconds,
  ...Object.fromEntries([LINK_STARTS, CODES].map(({ letter, seconds }) => [letter, seconds])),
};

export type RateWindow = { readonly attribute: string; readonly limit: number; readonly endsAt: number };
export type RateState = { readonly limit: number; readonly remaining: number; readonly resetAt: number };

/** The windows that a request of this class counts in now; the number of a window is in its name, so a new one needs no reset. */
export function windowsFor(rateClass: RateClass, at: Date): readonly RateWindow[] {
  const seconds = Math.floor(at.getTime() / 1000);
  const { letter, limit } = RATE_CLASSES[rateClass];
  return [windowAt(letter, limit, MINUTE_SECONDS, seconds), windowAt(BURST.letter, BURST.limit, BURST.seconds, seconds)];
}

/** They count apart from the requests of their address. */
export const linkStartWindows = (at: Date): readonly RateWindow[] => [windowOf(LINK_STARTS, at)];

export const codeWindows = (at: Date): readonly RateWindow[] => [windowOf(CODES, at)];

/** Sign-in links, by the address they go to, and by the one they are asked for from. */
export const signInMailWindow = (at: Date): RateWindow => windowOf(SIGN_IN_MAILS, at);
export const signInAskWindow = (at: Date): RateWindow => windowOf(SIGN_IN_ASKS, at);

export const invitationWindow = (at: Date): RateWindow => windowOf(INVITATIONS, at);
export const invitationToOneWindow = (at: Date): RateWindow => windowOf(INVITATIONS_TO_ONE, at);

type Limit = { readonly letter: string; readonly limit: number; readonly seconds: number };
const windowOf = ({ letter, limit, seconds }: Limit, at: Date): RateWindow => windowAt(letter, limit, seconds, Math.floor(at.getTime() / 1000));

function windowAt(letter: string, limit: number, length: number, seconds: number): RateWindow {
  const number = Math.floor(seconds / length);
  return { attribute: `${letter}${number}`, limit, endsAt: (number + 1) * length };
}

/** Names of requests' windows that are over; the one just before is kept, as clocks differ. */
export function staleWindows(at: Date): readonly string[] {
  const seconds = Math.floor(at.getTime() / 1000);
  const minute = Math.floor(seconds / MINUTE_SECONDS) - 2;
  return [...Object.values(RATE_CLASSES).map(({ letter }) => `${letter}${minute}`), `${BURST.letter}${Math.floor(seconds / BURST.seconds) - 2}`];
}

/** The window closest to its limit, for the headers. `counted` are the attributes after (or without) this request. */
export function closest(windows: readonly RateWindow[], counted: Readonly<Record<string, unknown>>): RateState {
  const states = windows.map(({ attribute, limit, endsAt }) => ({ limit, remaining: Math.max(0, limit - Number(counted[attribute] ?? 0)), resetAt: endsAt }));
  return states.reduce((a, b) => (b.remaining / b.limit < a.remaining / a.limit ? b : a));
}

/** The windows that have no room left; refused until the last of them ends. */
export function fullWindows(windows: readonly RateWindow[], counted: Readonly<Record<string, unknown>>): readonly RateWindow[] {
  return windows.filter(({ attribute, limit }) => Number(counted[attribute] ?? 0) >= limit);
}

/** Whole seconds until a request may pass again, at least 1. */
export function retryAfter(full: readonly RateWindow[], at: Date): number {
  const end = Math.max(...full.map((w) => w.endsAt));
  return Math.max(1, Math.ceil(end - at.getTime() / 1000));
}

/** Windows that idle time left behind, beyond what is usual: worth a clean-up of their own. */
export function leftBehind(item: Readonly<Record<string, unknown>>, at: Date): readonly string[] {
  const seconds = Math.floor(at.getTime() / 1000);
  const old = Object.keys(item).filter((name) => {
    const [, letter = '', number] = /^([a-z])(\d+)$/.exec(name) ?? [];
    const length = LENGTHS[letter];
    return length !== undefined && Number(number) < Math.floor(seconds / length) - 1;
  });
  return old.length > 8 ? old : [];
}
