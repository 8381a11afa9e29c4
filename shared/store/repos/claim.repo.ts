import { plus } from '#shared/kernel/clock.ts';
import { type ClaimTicket, LEASE, type Operation } from '#shared/kernel/operation.ts';
import type { ClaimState, ClaimsPort, StoredAnswer } from '#shared/ports/claims.port.ts';
import type { Item, TablePort } from '#shared/ports/table.port.ts';
import { claimNewest, claimSeed, KEY_LIFE } from '#shared/store/claim-walk.ts';
import { keys } from '#shared/store/keys.ts';

/** Claims of requests that make no payment; a payment is its own claim. A claim's id is its seed. */
export class ClaimRepo implements ClaimsPort {
  readonly #table: TablePort;
  readonly #hashSecret: string;
  constructor(table: TablePort, hashSecret: string) {
    this.#table = table;
    this.#hashSecret = hashSecret;
  }

  async claim(ticket: ClaimTicket, at: Date): Promise<ClaimState> {
    const seedOf = (generation: number) => claimSeed(this.#hashSecret, ticket, generation);
    const found = await claimNewest(
      this.#table,
      at,
      (generation) => keys.claim(seedOf(generation)),
      (generation) => fresh(seedOf(generation), ticket, at),
    );
    const seed = seedOf(found.generation);
    const operation: Operation = { seed, at: new Date(String(found.item.created_at)), resumed: !found.isNew };
    if (found.isNew) return { state: 'new', operation, claimId: seed };
    return this.#meet(found.item, ticket, at, operation);
  }

  async #meet(item: Item, ticket: ClaimTicket, at: Date, operation: Operation): Promise<ClaimState> {
    if (item.item_type !== 'claim' || item.request !== ticket.request) return { state: 'reused' };
    const answer = item.answer as unknown as StoredAnswer | null;
    if (answer)
      return {
        state: 'answered',
        answer,
        sealed: item.sealed === true,
        credentialId: String(item.credential_id),
        claimId: operation.seed,
      };
    const left = new Date(String(item.lease_until)).getTime() - at.getTime();
    if (left > 0) return { state: 'running', retryAfter: Math.max(1, Math.ceil(left / 1000)) };
    const lease = { lease_until: plus(at, LEASE).toISOString(), credential_id: ticket.credentialId };
    const taken = await this.#table.update(
      keys.claim(operation.seed),
      { set: lease },
      { all: [{ eq: ['lease_until', item.lease_until ?? null] }, { eq: ['answer', null] }] },
    );
    return taken.ok ? { state: 'taken_over', operation, claimId: operation.seed } : { state: 'running', retryAfter: 1 };
  }

  async complete(claimId: string, answer: StoredAnswer, sealed: boolean): Promise<void> {
    await this.#table.update(keys.claim(claimId), { set: { answer, sealed } }, { exists: 'pk' });
  }

  async lapse(claimId: string): Promise<void> {
    await this.#table.update(keys.claim(claimId), { set: { lease_until: NO_LEASE } }, { eq: ['answer', null] });
  }

  async release(claimId: string): Promise<void> {
    await this.#table.delete(keys.claim(claimId), { eq: ['answer', null] });
  }
}

/** A lease that is over at any time. */
const NO_LEASE = '1970-01-01T00:00:00.000Z';

const fresh = (seed: string, ticket: ClaimTicket, at: Date): Item => ({
  ...keys.claim(seed),
  item_type: 'claim',
  org_id: ticket.orgId,
  request: ticket.request,
  credential_id: ticket.credentialId,
  answer: null,
  created_at: at.toISOString(),
  lease_until: plus(at, LEASE).toISOString(),
  /** For the store's own clean-up; whether a key is still alive is judged by the clock. */
  ttl: Math.floor(plus(at, 2 * KEY_LIFE).getTime() / 1000),
});
