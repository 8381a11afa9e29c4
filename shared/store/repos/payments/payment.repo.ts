import { INTERNAL_FIELDS, type Payment } from '#shared/domain/payments/payment.model.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import { type Clock, plus } from '#shared/kernel/clock.ts';
import { byAge, previousSecret } from '#shared/kernel/hash-versions.ts';
import { randomBits } from '#shared/kernel/ids.ts';
import {
  CLAIM_LEASE_MS,
  IDEMPOTENCY_KEY_LIFETIME,
  type IdempotencyRequest,
  isSameRequest,
  type Operation,
  operationId,
} from '#shared/kernel/operation.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import type { Decide, PaymentClaim, PaymentsPort, PaymentsQuery } from '#shared/ports/payments.port.ts';
import {
  claimIdempotencyKey,
  claimIdSeed,
  claimSecret,
  isMovedClaim,
  movedTo,
  retryAfterLease,
  ttlOfClaim,
} from '#shared/store/idempotency-claim.ts';
import { indexKeys, keys, LIST_SHARDS } from '#shared/store/keys.ts';
import {
  countFilters,
  inShards,
  type ListOptions,
  type ListSource,
  listRecords,
  matchesFilters,
} from '#shared/store/list-records.ts';
import { ListShards } from '#shared/store/list-shards.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import type { NewPage, PageCache } from '#shared/store/repos/payments/refund-pages.ts';
import type { Item, Key, TablePort } from '#shared/store/table/table.port.ts';
import { namingWork, type SaveResult, VersionedRepo } from '#shared/store/versioned-repo.ts';

/** Loaded with the first refund or capture: a payment that is created has neither. */
const refundPages = () => import('#shared/store/repos/payments/refund-pages.ts');
const paymentIndex = () => import('#shared/store/repos/payments/payment-index.ts');

export class PaymentRepo extends VersionedRepo<Payment> implements PaymentsPort {
  readonly #clock: Clock;
  readonly #config: HashConfig;
  readonly #lists: ListShards;
  #pages: PageCache | undefined;
  /** Refund pages of payments that are being saved. */
  readonly #newPages = new WeakMap<Payment, readonly NewPage[]>();
  constructor(table: TablePort, clock: Clock, config: HashConfig) {
    super(table, { ...paymentEntity, toItem: (payment) => paymentEntity.toItem(payment, clock.now()) });
    this.#clock = clock;
    this.#config = config;
    this.#lists = new ListShards(table, clock);
  }

  async claim(
    idempotencyRequest: IdempotencyRequest,
    at: Date,
    plan: (operation: Operation) => Promise<Payment>,
  ): Promise<PaymentClaim> {
    const { hashSecret: current, rotations } = this.#config;
    const previous = rotations?.hashSecret && previousSecret(rotations.hashSecret);
    const secret =
      previous === undefined ? current : await claimSecret(this.table, idempotencyRequest, { current, previous }, at);
    return this.#claimWith(secret, idempotencyRequest, at, plan);
  }

  async #claimWith(
    secret: string,
    idempotencyRequest: IdempotencyRequest,
    at: Date,
    plan: (operation: Operation) => Promise<Payment>,
  ): Promise<PaymentClaim> {
    const claims: { readonly seed: string; readonly key: Key }[] = [];
    const claimOf = (generation: number) => {
      claims[generation] ??= paymentClaimOf(secret, idempotencyRequest, generation);
      return claims[generation];
    };
    const operationOf = (generation: number, since: Date, resumed: boolean): Operation => ({
      seed: claimOf(generation).seed,
      at: since,
      resumed,
    });
    const found = await claimIdempotencyKey(
      this.table,
      at,
      (generation) => claimOf(generation).key,
      async (generation) => newItem(await plan(operationOf(generation, at, false)), at),
    );
    if (isMovedClaim(found.item)) return this.#claimWith(movedTo(this.#config, secret), idempotencyRequest, at, plan);
    const payment = paymentEntity.fromItem(found.item);
    if (found.isNew) return { state: 'new', payment, operation: operationOf(found.generation, at, false) };
    return this.#resume(
      payment,
      idempotencyRequest,
      at,
      operationOf(found.generation, new Date(payment.created_at), true),
    );
  }

  /**
   * For a repeated request: returns the earlier result, lets it wait, or lets it take over from a request that crashed.
   */
  async #resume(
    payment: Payment,
    idempotencyRequest: IdempotencyRequest,
    at: Date,
    operation: Operation,
  ): Promise<PaymentClaim> {
    const claim = payment.claim;
    const isSame = claim?.recovered || isSameRequest(claim?.request, idempotencyRequest);
    if (!claim || payment.org_id !== idempotencyRequest.orgId || !isSame) return { state: 'reused' };
    if (claim.answered) return { state: 'completed', payment };
    const retryAfter = retryAfterLease(claim.lease_until, at);
    if (retryAfter !== undefined) return { state: 'running', retryAfter };
    const renewed = { ...payment, claim: { ...claim, lease_until: plus(at, CLAIM_LEASE_MS).toISOString() } };
    const saved = await this.save(payment, renewed);
    return saved.ok ? { state: 'taken_over', payment: saved.record, operation } : { state: 'running', retryAfter: 1 };
  }

  async byIdempotencyKey(idempotencyRequest: IdempotencyRequest): Promise<Payment | undefined> {
    const { hashSecret, rotations } = this.#config;
    const secrets = byAge(hashSecret, rotations?.hashSecret);
    const items = await Promise.all(
      secrets.map((secret) =>
        this.table.get(keys.claim(claimIdSeed(secret, idempotencyRequest, 0)), { consistent: true }),
      ),
    );
    const item = items.findLast((each) => each?.item_type === 'payment');
    return item && this.withAllRefunds(paymentEntity.fromItem(item));
  }

  async recent(id: string): Promise<Payment | undefined> {
    const payment = await super.read(id, { consistent: false });
    return payment?.id === id ? payment : undefined;
  }

  byOperationId(id: string): Promise<Payment | undefined> {
    return this.read(id);
  }

  async byReference(provider: string, reference: string): Promise<Payment | undefined> {
    const page = await this.table.entries('lookup', { pk: indexKeys.pspReference(provider, reference), limit: 1 });
    const entry = page.items[0];
    return entry && this.byId(entry.at);
  }

  async createResponse(payment: Payment): Promise<Payment> {
    if (!payment.claim?.kept) return payment;
    const item = await this.table.get(keys.createResponse(payment.id), { consistent: true });
    return item ? (item.answer as unknown as Payment) : payment;
  }

  async list(orgId: string, connectionIds: readonly string[], query: PaymentsQuery): Promise<ListPage<Payment>> {
    const read = (item: Item) => this.withAllRefunds(paymentEntity.fromItem(item));
    const shards = await this.#lists.all(orgId);
    return listPayments(this.table, orgId, connectionIds, query, { shards }, read);
  }

  protected override async prepare(before: Payment, after: Payment): Promise<Payment> {
    const [prepared] = await Promise.all([
      storeCreateResponse(this.table, before, after, this.#clock),
      isFoundByParts(after) ? (await paymentIndex()).indexParts(this.table, before, after) : undefined,
    ]);
    const added = this.#newPages.get(after);
    if (added) await (await refundPages()).writePages(this.table, { payment: after, added });
    return prepared;
  }

  override async change(given: Payment, decide: Decide, decided?: Payment): Promise<Payment> {
    const payment = await this.withAllRefunds(given);
    return payment === given && decided ? super.change(payment, decide, decided) : super.change(payment, decide);
  }

  /** Adds the refunds that are stored outside of the item. A payment from the change feed or from a list lacks them. */
  withAllRefunds(payment: Payment): Payment | Promise<Payment> {
    return payment.refund_pages === undefined || payment.refunds_loaded ? payment : this.#readPages(payment);
  }

  async #readPages(payment: Payment): Promise<Payment> {
    const pages = await refundPages();
    this.#pages ??= new pages.PageCache();
    return pages.readAllRefunds(this.table, payment, this.#pages, () => super.read(payment.id));
  }

  protected override withAllParts(payment: Payment): Payment | Promise<Payment> {
    return this.withAllRefunds(payment);
  }

  protected override async read(id: string): Promise<Payment | undefined> {
    const payment = await super.read(id);
    return payment && this.withAllRefunds(payment);
  }

  protected override async save(before: Payment, after: Payment): Promise<SaveResult<Payment>> {
    if (after.refunds === before.refunds && after.refund_pages === undefined) return super.save(before, after);
    const { expirePages, pageRefunds } = await refundPages();
    const { payment, added, removed } = pageRefunds(before, after);
    if (added.length > 0) this.#newPages.set(payment, added);
    const saved = await super.save(before, payment);
    if (!saved.ok) return saved;
    await expirePages(this.table, payment.id, removed, this.#clock.now());
    const { record } = saved;
    return payment.refunds_loaded
      ? { ok: true, record: { ...record, refunds: payment.refunds, refunds_loaded: true } }
      : saved;
  }
}

const isFoundByParts = ({ refunds, captures, attempts }: Payment): boolean =>
  refunds.length > 0 || captures !== undefined || attempts.some(({ release }) => release !== undefined);

/**
 * With the first visible change after the create request, the response of that request is stored, for as long as its
 * idempotency key may be repeated. Returns what to write. Whoever writes a payment in another way calls this first.
 */
export async function storeCreateResponse(
  table: TablePort,
  before: Payment,
  after: Payment,
  clock: Clock,
): Promise<Payment> {
  const claim = before.claim;
  // The response of one that is erased would keep what must go.
  if (!claim?.answered || claim.kept || after.erased || !changesResponse(before, after)) return after;
  if (plus(before.created_at, IDEMPOTENCY_KEY_LIFETIME) <= clock.now()) return after;
  const { outbox: _, sealed_method: __, trace: ___, ...response } = before;
  await table.put(
    {
      ...keys.createResponse(before.id),
      item_type: 'answer',
      answer: response as unknown as Item,
      ttl: ttlOfClaim(before.created_at),
    },
    { absent: 'pk' },
  );
  return { ...after, claim: after.claim && { ...after.claim, kept: true } };
}

/** The seed of a claim, and the key of the payment with the id derived from it: a payment is its own claim. */
function paymentClaimOf(hashSecret: string, idempotencyRequest: IdempotencyRequest, generation: number) {
  const seed = claimIdSeed(hashSecret, idempotencyRequest, generation);
  const id = operationId({ seed, at: new Date(0), resumed: false }, 'payment');
  return { seed, key: keys.payment(id, randomBits(id)) };
}

function newItem(payment: Payment, at: Date): Item {
  const item = paymentEntity.toItem(namingWork(undefined, payment), at);
  paymentEntity.assertFits(item, payment, undefined);
  return item;
}

/** Clients cannot see changes of these fields. */
const internalFields: ReadonlySet<string> = new Set(INTERNAL_FIELDS);

const changesResponse = (before: Payment, after: Payment): boolean =>
  Object.entries(after).some(([name, value]) => !internalFields.has(name) && before[name as keyof Payment] !== value);

const FILTERS = ['customer_id', 'status', 'connection_id', 'currency'] as const;

/** `connectionIds`: also those of deleted connections. Each connection has its own partitions. */
export function listPayments(
  table: TablePort,
  orgId: string,
  connectionIds: readonly string[],
  query: PaymentsQuery,
  { shards = LIST_SHARDS, ...limits }: ListOptions = {},
  read: (item: Item) => Payment | Promise<Payment> = paymentEntity.fromItem,
): Promise<ListPage<Payment>> {
  const source = sourceOf(orgId, connectionIds, query, shards);
  const matches = matchesFilters(FILTERS, orgId, query);
  return listRecords(table, { source, matches, read, idKind: 'payment' }, query, limits);
}

/** The narrowest index for the filter. Nearly all payments succeed, so `succeeded` uses the full list. */
function sourceOf(orgId: string, connectionIds: readonly string[], query: PaymentsQuery, shards: number): ListSource {
  const { customer_id, status, connection_id, currency } = query;
  const isExact = currency === undefined && countFilters(FILTERS, query) <= 1;
  if (customer_id !== undefined)
    return { index: 'customer', partitions: [indexKeys.paymentsOfCustomer(orgId, customer_id)], exact: isExact };
  if (status !== undefined && status !== 'succeeded') {
    return {
      index: 'status',
      partitions: inShards(shards, (n) => indexKeys.paymentsByStatus(orgId, status, n)),
      exact: isExact,
    };
  }
  const owners = connection_id === undefined ? [null, ...connectionIds] : [connection_id];
  return {
    index: 'list',
    partitions: owners.flatMap((owner) => inShards(shards, (n) => indexKeys.payments(orgId, owner, n))),
    exact: isExact && status === undefined,
  };
}
