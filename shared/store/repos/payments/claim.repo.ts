import { plus } from '#shared/kernel/clock.ts';
import { previousSecret } from '#shared/kernel/hash-versions.ts';
import { CLAIM_LEASE_MS, type IdempotencyRequest, isSameRequest, type Operation } from '#shared/kernel/operation.ts';
import type { ClaimState, ClaimsPort, StoredResponse } from '#shared/ports/claims.port.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import {
  claimIdempotencyKey,
  claimIdSeed,
  claimSecret,
  isMovedClaim,
  movedTo,
  retryAfterLease,
  ttlOfClaim,
} from '#shared/store/idempotency-claim.ts';
import { keys } from '#shared/store/keys.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';

/**
 * Idempotency claims of requests that do not create a payment; those have the payment itself as their claim. The id of
 * a claim is its seed.
 */
export class ClaimRepo implements ClaimsPort {
  readonly #table: TablePort;
  readonly #config: HashConfig;
  constructor(table: TablePort, config: HashConfig) {
    this.#table = table;
    this.#config = config;
  }

  async claim(idempotencyRequest: IdempotencyRequest, at: Date): Promise<ClaimState> {
    const { hashSecret: current, rotations } = this.#config;
    const previous = rotations?.hashSecret && previousSecret(rotations.hashSecret);
    const secret =
      previous === undefined ? current : await claimSecret(this.#table, idempotencyRequest, { current, previous }, at);
    return this.#claimWith(secret, idempotencyRequest, at);
  }

  async #claimWith(secret: string, idempotencyRequest: IdempotencyRequest, at: Date): Promise<ClaimState> {
    const seedOf = (generation: number) => claimIdSeed(secret, idempotencyRequest, generation);
    const found = await claimIdempotencyKey(
      this.#table,
      at,
      (generation) => keys.claim(seedOf(generation)),
      (generation) => newClaim(seedOf(generation), idempotencyRequest, at),
    );
    if (isMovedClaim(found.item)) return this.#claimWith(movedTo(this.#config, secret), idempotencyRequest, at);
    const seed = seedOf(found.generation);
    const operation: Operation = { seed, at: new Date(String(found.item.created_at)), resumed: !found.isNew };
    if (found.isNew) return { state: 'new', operation, claimId: seed };
    return this.#resume(found.item, idempotencyRequest, at, operation);
  }

  async #resume(
    item: Item,
    idempotencyRequest: IdempotencyRequest,
    at: Date,
    operation: Operation,
  ): Promise<ClaimState> {
    if (item.item_type !== 'claim' || !isSameRequest(item.request, idempotencyRequest)) return { state: 'reused' };
    const answer = item.answer as unknown as (StoredResponse & { readonly parts?: number }) | null;
    if (answer)
      return {
        state: 'completed',
        response: await this.#withParts(operation.seed, answer),
        sealed: item.sealed === true,
        credentialId: String(item.credential_id),
        claimId: operation.seed,
      };
    const retryAfter = retryAfterLease(String(item.lease_until), at);
    if (retryAfter !== undefined) return { state: 'running', retryAfter };
    const lease = {
      lease_until: plus(at, CLAIM_LEASE_MS).toISOString(),
      credential_id: idempotencyRequest.credentialId,
    };
    const renewed = await this.#table.update(
      keys.claim(operation.seed),
      { set: lease },
      { all: [{ eq: ['lease_until', item.lease_until ?? null] }, { eq: ['answer', null] }] },
    );
    return renewed.ok
      ? { state: 'taken_over', operation, claimId: operation.seed }
      : { state: 'running', retryAfter: 1 };
  }

  async storeSecret(claimId: string, sealed: string): Promise<string> {
    const isFirst = { all: [{ exists: 'pk' }, { absent: 'secret' }] } as const;
    const written = await this.#table.update(keys.claim(claimId), { set: { secret: sealed } }, isFirst);
    return written.ok || typeof written.old?.secret !== 'string' ? sealed : written.old.secret;
  }

  async complete(claimId: string, response: StoredResponse, sealed: boolean): Promise<void> {
    const parts = splitBody(response.body);
    const answer = parts.length > 1 ? { ...response, body: '', parts: parts.length } : response;
    if (parts.length > 1) await this.#putParts(claimId, parts);
    await this.#table.update(keys.claim(claimId), { set: { answer, sealed } }, { exists: 'pk' });
  }

  /** A response with very many refunds does not fit into one item. */
  async #putParts(claimId: string, parts: readonly string[]): Promise<void> {
    const claim = await this.#table.get(keys.claim(claimId), { consistent: true });
    await Promise.all(
      parts.map((text, n) =>
        this.#table.put({ ...keys.claimPart(claimId, n), item_type: 'answer_part', text, ttl: claim?.ttl ?? 0 }),
      ),
    );
  }

  async #withParts(
    claimId: string,
    { parts, ...response }: StoredResponse & { readonly parts?: number },
  ): Promise<StoredResponse> {
    if (parts === undefined) return response;
    const items = await this.#table.getMany(Array.from({ length: parts }, (_, n) => keys.claimPart(claimId, n)));
    return { ...response, body: items.map((item) => String(item?.text ?? '')).join('') };
  }

  async expire(claimId: string): Promise<void> {
    await this.#table.update(keys.claim(claimId), { set: { lease_until: EXPIRED } }, { eq: ['answer', null] });
  }

  async release(claimId: string): Promise<void> {
    await this.#table.delete(keys.claim(claimId), { eq: ['answer', null] });
  }
}

/** At most three bytes per UTF-16 unit, well below the size limit of an item. */
const PART_LENGTH = 120_000;

/** Splits a response. A part never ends between the two halves of a surrogate pair. */
function splitBody(body: string): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < body.length || from === 0; ) {
    const end = from + PART_LENGTH;
    const isSplit = /[\uD800-\uDBFF]/.test(body.charAt(end - 1));
    parts.push(body.slice(from, isSplit ? end - 1 : end));
    from = isSplit ? end - 1 : end;
  }
  return parts;
}

/** A lease that has always expired. */
const EXPIRED = '1970-01-01T00:00:00.000Z';

const newClaim = (seed: string, idempotencyRequest: IdempotencyRequest, at: Date): Item => ({
  ...keys.claim(seed),
  item_type: 'claim',
  org_id: idempotencyRequest.orgId,
  request: idempotencyRequest.request,
  credential_id: idempotencyRequest.credentialId,
  answer: null,
  created_at: at.toISOString(),
  lease_until: plus(at, CLAIM_LEASE_MS).toISOString(),
  ttl: ttlOfClaim(at),
});
