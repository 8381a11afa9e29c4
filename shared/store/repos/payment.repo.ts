import { INNER_FIELDS, type Payment } from '#shared/domain/payments/payment.model.ts';
import { chargesBeside } from '#shared/domain/payments/refundable.rules.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import { plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { isId } from '#shared/kernel/ids.ts';
import { type ClaimTicket, LEASE, type Operation } from '#shared/kernel/operation.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { Decide, ListWhere, PaymentClaim, PaymentsPort } from '#shared/ports/payments.port.ts';
import type { Item, TablePort } from '#shared/ports/table.port.ts';
import { certainPut } from '#shared/store/certain-put.ts';
import { claimNewest, claimSeed, KEY_LIFE } from '#shared/store/claim-walk.ts';
import { indexKeys, keys } from '#shared/store/keys.ts';
import { paymentEntity } from '#shared/store/repos/payment.entity.ts';
import { listPayments } from '#shared/store/repos/payment-list.ts';

/** More lost races than this mean that the decision itself is at fault. */
const MOST_TRIES = 50;

/** For the store's own clean-up; what still counts is judged by the clock. */
const ttlOf = (since: string): number => Math.floor(plus(since, 2 * KEY_LIFE).getTime() / 1000);

/** Changes of these fields alone are invisible to clients. */
const isInner: ReadonlySet<string> = new Set(INNER_FIELDS);

const showsDifferently = (before: Payment, after: Payment): boolean =>
  Object.entries(after).some(([name, value]) => !isInner.has(name) && before[name as keyof Payment] !== value);

function newItem(payment: Payment, at: Date): Item {
  const item = paymentEntity.toItem(payment, at);
  paymentEntity.needRoom(item, payment, undefined);
  return item;
}

export class PaymentRepo implements PaymentsPort {
  readonly #table: TablePort;
  readonly #clock: Clock;
  readonly #hashSecret: string;
  constructor(table: TablePort, clock: Clock, hashSecret: string) {
    this.#table = table;
    this.#clock = clock;
    this.#hashSecret = hashSecret;
  }

  async claim(ticket: ClaimTicket, at: Date, plan: (operation: Operation) => Promise<Payment>): Promise<PaymentClaim> {
    const operationOf = (generation: number, since: Date, resumed: boolean): Operation => ({
      seed: claimSeed(this.#hashSecret, ticket, generation),
      at: since,
      resumed,
    });
    const found = await claimNewest(
      this.#table,
      at,
      (generation) => keys.claim(claimSeed(this.#hashSecret, ticket, generation)),
      async (generation) => newItem(await plan(operationOf(generation, at, false)), at),
    );
    const payment = paymentEntity.fromItem(found.item);
    if (found.isNew) return { state: 'new', payment, operation: operationOf(found.generation, at, false) };
    return this.#meet(payment, ticket, at, operationOf(found.generation, new Date(payment.created_at), true));
  }

  async #meet(payment: Payment, ticket: ClaimTicket, at: Date, operation: Operation): Promise<PaymentClaim> {
    const claim = payment.claim;
    if (!claim || payment.org_id !== ticket.orgId || claim.request !== ticket.request) return { state: 'reused' };
    if (claim.answered) return { state: 'answered', payment };
    const left = new Date(claim.lease_until).getTime() - at.getTime();
    if (left > 0) return { state: 'running', retryAfter: Math.max(1, Math.ceil(left / 1000)) };
    const mine = { ...payment, claim: { ...claim, lease_until: plus(at, LEASE).toISOString() } };
    const taken = await this.#save(payment, mine);
    return taken.ok ? { state: 'taken_over', payment: taken.payment, operation } : { state: 'running', retryAfter: 1 };
  }

  async claimed(ticket: ClaimTicket): Promise<Payment | undefined> {
    const item = await this.#table.get(keys.claim(claimSeed(this.#hashSecret, ticket, 0)), { consistent: true });
    return item?.item_type === 'payment' ? paymentEntity.fromItem(item) : undefined;
  }

  async get(orgId: string, id: string): Promise<Payment | undefined> {
    const payment = await this.byId(id);
    return payment?.org_id === orgId ? payment : undefined;
  }

  async byId(id: string): Promise<Payment | undefined> {
    const payment = await this.ofAnyTry(id);
    return payment?.id === id ? payment : undefined;
  }

  async ofAnyTry(id: string): Promise<Payment | undefined> {
    if (!isId('payment', id)) return undefined;
    const item = await this.#table.get(keys.payment(id), { consistent: true });
    return item && paymentEntity.fromItem(item);
  }

  async byReference(provider: string, reference: string): Promise<Payment | undefined> {
    const page = await this.#table.entries('reference', { pk: indexKeys.reference(provider, reference), limit: 1 });
    const entry = page.items[0];
    return entry && this.byId(entry.at);
  }

  async change(payment: Payment, decide: Decide): Promise<Payment> {
    let current = payment;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const after = decide(current);
      if (!after) return current;
      const saved = await this.#save(current, after);
      if (saved.ok) return saved.payment;
      if (!saved.current) throw new AppError('not_found', `No payment ${payment.id}.`);
      current = saved.current;
    }
    throw new AppError('write_conflict', 'The payment is changing too fast. Please try again.');
  }

  /** State and events in one conditional write; the relay picks the events up from the change feed. */
  async #save(
    before: Payment,
    after: Payment,
  ): Promise<{ ok: true; payment: Payment } | { ok: false; current: Payment | undefined }> {
    const itemOf = (payment: Payment) =>
      paymentEntity.toItem({ ...payment, version: before.version + 1 }, this.#clock.now());
    paymentEntity.needRoom(itemOf(after), after, before);
    const item = itemOf(await this.#keepAnswer(before, after));
    await this.#keepFindable(before, after);
    const written = await certainPut(this.#table, item, { eq: ['version', before.version] });
    if (written.ok) return { ok: true, payment: paymentEntity.fromItem(written.item) };
    return { ok: false, current: written.old && paymentEntity.fromItem(written.old) };
  }

  /**
   * Callbacks about a charge that goes back may come long after the payment has moved on to another. Put first, so that
   * a crash loses none.
   */
  async #keepFindable(before: Payment, after: Payment): Promise<void> {
    const known = new Set(chargesBeside(before).map(({ id }) => id));
    for (const attempt of chargesBeside(after))
      if (!known.has(attempt.id)) await this.#table.put(paymentEntity.besideItem(after, attempt));
  }

  /**
   * The first visible change after the create request was answered stores that answer, for as long as its key may be
   * repeated.
   */
  async #keepAnswer(before: Payment, after: Payment): Promise<Payment> {
    const claim = before.claim;
    if (!claim?.answered || claim.kept || !showsDifferently(before, after)) return after;
    if (plus(before.created_at, KEY_LIFE) <= this.#clock.now()) return after;
    const { outbox: _, sealed_method: __, ...answer } = before;
    await this.#table.put(
      {
        ...keys.answer(before.id),
        item_type: 'answer',
        answer: answer as unknown as Item,
        ttl: ttlOf(before.created_at),
      },
      { absent: 'pk' },
    );
    return { ...after, claim: after.claim && { ...after.claim, kept: true } };
  }

  read(item: Item): Payment {
    return paymentEntity.fromItem(item);
  }

  async answered(payment: Payment): Promise<Payment> {
    if (!payment.claim?.kept) return payment;
    const item = await this.#table.get(keys.answer(payment.id), { consistent: true });
    return item ? (item.answer as unknown as Payment) : payment;
  }

  list(orgId: string, connectionIds: readonly string[], where: ListWhere): Promise<ListPage<Payment>> {
    return listPayments(this.#table, orgId, connectionIds, where);
  }
}
