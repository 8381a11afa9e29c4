import type { Dispute, DisputeStatus } from '#shared/domain/disputes/dispute.model.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import type { AddressedConnection } from '#shared/domain/routing/callback-address.rules.ts';
import type { RecordWrite } from '#shared/ports/invoices.port.ts';

export type DisputesQuery = {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string;
  readonly status?: DisputeStatus;
  /** Only those that still wait for an answer, due before this time. */
  readonly respond_by_before?: string;
  readonly provider?: string;
  readonly payment_id?: string;
  readonly created_after?: string;
  readonly created_before?: string;
};

/** What is written in one transaction: a dispute, and what it withholds of its payment. */
export type DisputeWrites = { readonly dispute: RecordWrite<Dispute>; readonly payment?: RecordWrite<Payment> };

/** Up to when the disputes of a connection's account are known. For a PSP that sends no callbacks about them. */
export type DisputePoll = {
  readonly org_id: string;
  readonly connection_id: string;
  readonly polled_until: string;
  /** The last sign, within a day, that payments are made with it. */
  readonly active_at: string;
  readonly version: number;
};

export interface DisputesPort {
  get(orgId: string, id: string): Promise<Dispute | undefined>;
  /** Without an organization: for callers that check it themselves (the relay, the sweeper). */
  byId(id: string): Promise<Dispute | undefined>;
  /** By the PSP's reference at this connection. */
  byReference(connection: AddressedConnection, reference: string): Promise<Dispute | undefined>;
  /** By the PSP's reference alone, for a callback that names nothing else. */
  byPspReference(provider: string, reference: string): Promise<Dispute | undefined>;
  list(orgId: string, where: DisputesQuery): Promise<ListPage<Dispute>>;
  /** Decides on the stored dispute and writes on its version; after a conflict it decides again, on the newer one. */
  change(dispute: Dispute, decide: (dispute: Dispute) => Dispute | undefined): Promise<Dispute>;
  /** All or nothing; false, with nothing written, if one changed since it was read, or the new one exists already. */
  commit(writes: DisputeWrites): Promise<boolean>;
}

export interface DisputePollsPort {
  /** Payments are made with this connection: its disputes are polled from now on, those opened from `since` on. */
  start(of: Pick<DisputePoll, 'org_id' | 'connection_id'>, since: Date, at: Date): Promise<void>;
  get(orgId: string, connectionId: string): Promise<DisputePoll | undefined>;
  /** The next poll is due at `next`. False if another worker was first. */
  save(poll: DisputePoll, next: Date): Promise<boolean>;
  /** Nothing can be polled any more. */
  stop(poll: DisputePoll): Promise<void>;
}
