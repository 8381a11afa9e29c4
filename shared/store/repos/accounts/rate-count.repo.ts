import {
  abandonedWindows,
  closestToLimit,
  type RateClass,
  type RateState,
  type RateWindow,
  windowOf,
  windowsFor,
} from '#shared/domain/accounts/rate-limits.rules.ts';
import { DAY, SECOND } from '#shared/kernel/clock.ts';
import { keyedHash, sha256Hex } from '#shared/kernel/ids.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import type { LimitCheck, RateCount, RateCountsPort, SignInRequest, Stranger } from '#shared/ports/rate-counts.port.ts';
import { FullWindows } from '#shared/store/full-windows.ts';
import { keys } from '#shared/store/keys.ts';
import { type Counter, countAllOrNone, countRequest, toRateCount } from '#shared/store/rate-windows.ts';
import type { Key, TablePort } from '#shared/store/table/table.port.ts';

/** Credentials stay out of memory. */
const strangerName = (address: string, credential: string): string => `${sha256Hex(credential)} ${address}`;

const guessName = (address: string): string => `guesses ${address}`;

/** Counters are found by keyed hashes of IP addresses, users and organizations, and deleted a day after they end. */
export class RateCountRepo implements RateCountsPort {
  readonly #table: TablePort;
  readonly #config: HashConfig;
  readonly #limited: boolean;
  readonly #full = new FullWindows();
  constructor(table: TablePort, config: HashConfig, limited: boolean) {
    this.#table = table;
    this.#config = config;
    this.#limited = limited;
  }

  async countAddress(address: string, rateClass: RateClass, at: Date): Promise<RateCount> {
    const name = `${rateClass} ${address}`;
    const refused = this.#full.find(name, at);
    if (refused) return refused;
    const counted = await this.#countAt(this.#keyOf(address), windowsFor(rateClass, at), at);
    this.#full.remember(name, counted, at);
    return counted;
  }

  async countStranger({ address, credential, isGuess }: Stranger, at: Date): Promise<RateCount> {
    const counted = await this.countAddress(address, 'reads', at);
    if (credential !== undefined) this.#full.remember(strangerName(address, credential), counted, at);
    if (isGuess && this.#limited) this.#full.rememberGuess(guessName(address), counted, at);
    return counted;
  }

  /** A credential that is not valid does not become so: its text is random, and stored before anybody gets it. */
  refusalOf({ address, credential, isGuess }: Stranger, at: Date): RateCount | undefined {
    if (credential !== undefined) return this.#full.find(strangerName(address, credential), at);
    return this.#full.find(`reads ${address}`, at) ?? (isGuess ? this.#full.find(guessName(address), at) : undefined);
  }

  countLinkStart(address: string, at: Date): Promise<RateCount> {
    return this.#countAt(this.#keyOf(`link starts ${address}`), [windowOf('link_start', at)], at);
  }

  countSignIn({ email, address, browser }: SignInRequest, at: Date): Promise<LimitCheck> {
    const mails = browser === undefined ? `sign-in mails ${email}` : `sign-in mails ${email} in browser ${browser}`;
    const counters = [
      this.#counter(`sign-in asks ${address}`, windowOf('sign_in_request', at)),
      this.#counter(mails, windowOf('sign_in_email', at)),
      this.#counter(mails, windowOf('sign_in_email_daily', at)),
    ];
    return countAllOrNone(this.#table, counters, at, this.#limited);
  }

  countCode(userId: string, kind: 'totp_code' | 'recovery_code', at: Date): Promise<RateCount> {
    return this.#countAt(this.#keyOf(`codes ${userId}`), [windowOf(kind, at)], at);
  }

  countInvitation(orgId: string, email: string, at: Date): Promise<LimitCheck> {
    const toRecipient = this.#counter(`invitations of ${orgId} to ${email}`, windowOf('invitation_to_recipient', at));
    return countAllOrNone(
      this.#table,
      [toRecipient, this.#counter(`invitations of ${orgId}`, windowOf('invitation', at))],
      at,
      this.#limited,
    );
  }

  countCallback(subject: string, at: Date): Promise<LimitCheck> {
    return this.#countAt(this.#keyOf(`callbacks ${subject}`), [windowOf('unsigned_callback', at)], at);
  }

  async addressState(address: string, at: Date): Promise<RateState> {
    const item = await this.#table.get(this.#keyOf(address));
    return closestToLimit(windowsFor('reads', at), item ?? {});
  }

  #counter(what: string, window: RateWindow): Counter {
    return { key: this.#keyOf(`${what} ${window.attribute}`), window };
  }

  async #countAt(key: Key, windows: readonly RateWindow[], at: Date): Promise<RateCount> {
    const set = { ttl: Math.max(...windows.map(({ endsAt }) => endsAt)) + DAY / SECOND };
    const written = await countRequest(this.#table, key, windows, at, { limited: this.#limited, set });
    const abandoned = abandonedWindows((written.ok ? written.item : written.old) ?? {}, at);
    if (this.#limited && abandoned.length > 0) await this.#table.update(key, { remove: abandoned });
    return toRateCount(windows, written, at);
  }

  #keyOf(what: string): Key {
    return keys.address(keyedHash(this.#config.hashSecret, 'address', what).toString('hex'));
  }
}
