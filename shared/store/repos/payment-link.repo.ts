import { slotKey, statusAt } from '#shared/domain/links/payment-link.machine.ts';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { HOLD, MOST_SLOTS } from '#shared/domain/links/payment-link.rules.ts';
import { type Clock, plus } from '#shared/kernel/clock.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { LinksPage, LinksWhere, PaymentLinksPort, Reserved } from '#shared/ports/payment-links.port.ts';
import type { Cond, Item, TablePort } from '#shared/ports/table.port.ts';
import { keys } from '#shared/store/keys.ts';
import { linkDue, paymentLinkEntity, slotAttribute } from '#shared/store/repos/payment-link.entity.ts';
import { listLinks } from '#shared/store/repos/payment-link-list.ts';
import { changeVersioned, createOnce } from '#shared/store/versioned.ts';

export class PaymentLinkRepo implements PaymentLinksPort {
  readonly #table: TablePort;
  readonly #clock: Clock;
  constructor(table: TablePort, clock: Clock) {
    this.#table = table;
    this.#clock = clock;
  }

  create(link: PaymentLink): Promise<PaymentLink> {
    return createOnce(this.#table, paymentLinkEntity, link);
  }

  async get(orgId: string, id: string): Promise<PaymentLink | undefined> {
    const link = await this.byId(id);
    return link?.org_id === orgId ? link : undefined;
  }

  async byId(id: string): Promise<PaymentLink | undefined> {
    const item = isId('link', id) ? await this.#table.get(keys.paymentLink(id), { consistent: true }) : undefined;
    return item && paymentLinkEntity.fromItem(item);
  }

  list(orgId: string, where: LinksWhere): Promise<LinksPage> {
    return listLinks(this.#table, orgId, where, this.#clock.now());
  }

  /** Its own attribute makes it repeatable: after a lost answer a retry finds the slot taken by this payment. */
  async reserve(link: PaymentLink, paymentId: string, at: Date): Promise<Reserved> {
    const attribute = slotAttribute(paymentId);
    const slot = { state: 'held', payment_id: paymentId, until: plus(at, HOLD).toISOString() } as const;
    const holding: PaymentLink = { ...link, slots: { ...link.slots, [slotKey(paymentId)]: slot } };
    // Concurrent starts are not seen here: the required room covers all slots.
    paymentLinkEntity.needRoom(paymentLinkEntity.toItem(holding), holding, link);
    const due = linkDue(holding);
    const open: Cond[] = [
      { eq: ['status', 'active'] },
      { any: [{ eq: ['expires_at', null] }, { gt: ['expires_at', at.toISOString()] }] },
    ];
    const room: Cond[] = [{ ge: ['slots_left', 1] }, { lt: ['slot_count', MOST_SLOTS] }];
    const written = await this.#table.update(
      keys.paymentLink(link.id),
      { set: { [attribute]: slot, ...due }, add: { slots_left: -1, slot_count: 1, version: 1 } },
      { all: [{ absent: attribute }, ...open, ...room] },
    );
    return written.ok ? 'held' : whyNot(written.old, attribute, at);
  }

  change(link: PaymentLink, decide: (link: PaymentLink) => PaymentLink | undefined): Promise<PaymentLink> {
    return changeVersioned(this.#table, paymentLinkEntity, link, decide, 'payment link');
  }

  read(item: Item): PaymentLink {
    return paymentLinkEntity.fromItem(item);
  }
}

function whyNot(old: Item | undefined, attribute: string, at: Date): Reserved {
  if (!old) return 'closed';
  if (old[attribute] !== undefined) return 'again';
  return statusAt(paymentLinkEntity.fromItem(old), at) === 'active' ? 'busy' : 'closed';
}
