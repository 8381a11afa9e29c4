import type { FoundDispute } from '#shared/domain/disputes/dispute.model.ts';
import type { EvidenceField } from '#shared/domain/disputes/evidence.catalog.ts';
import type { PspContext } from '#shared/ports/psp.port.ts';

export type PspDispute = FoundDispute;

/** A callback about a dispute. `reported` counts, once the signature is verified, where the PSP has no look-up. */
export type DisputeEvent = {
  readonly kind: 'dispute';
  /** The dispute's reference. Null if the event only says that the charge has one: then they are listed. */
  readonly reference: string | null;
  readonly paymentReference: string | null;
  /** Our attempt's id, if the event has it. */
  readonly ourId?: string;
  readonly reported?: PspDispute;
};

/** Texts of a merchant that answer a dispute; each PSP takes those that its form has. */
export type DisputeEvidence = Readonly<Partial<Record<EvidenceField, string>>>;

export type DisputeRef = {
  readonly reference: string;
  readonly paymentId: string;
  /** The disputed charge's reference. */
  readonly charge: string | null;
  readonly amount: number;
  readonly currency: string;
};

/** What is known of a PSP's disputes without calling it. */
export type DisputeFacts = {
  /** `polled`: the PSP sends no callback about them, so the timer looks them up. */
  readonly toldBy: 'callback' | 'polled';
  /** A callback about a charge also stands for its disputes, and the charge's look-up with refunds reads them. */
  readonly readWithCharge?: true;
  readonly canAccept: boolean;
  /** The evidence fields that its API takes; empty if it has none, and evidence is given in its dashboard. */
  readonly evidenceFields: readonly EvidenceField[];
};

/** Disputes that a PSP opened in [from, until). `cursor`: the `next` of the page before. */
export type DisputeQuery = { readonly from: Date; readonly until: Date; readonly cursor?: string };

export type DisputePage = { readonly items: readonly PspDispute[]; readonly next?: string | undefined };

/** Disputes of a charge at one PSP. A call that it does not have is left out. */
export interface PspDisputes<C = unknown> {
  fetch?(dispute: DisputeRef, psp: PspContext<C>): Promise<PspDispute>;
  /** All disputes of a charge. */
  list?(
    charge: { readonly reference: string; readonly paymentId: string },
    psp: PspContext<C>,
  ): Promise<readonly PspDispute[]>;
  /** All disputes of the account, ours and others'. */
  listSince?(query: DisputeQuery, psp: PspContext<C>): Promise<DisputePage>;
  /** Gives up the dispute. Returns it as it is then. `key`: the idempotency key of the call. */
  accept?(dispute: DisputeRef, key: string, psp: PspContext<C>): Promise<PspDispute>;
  submitEvidence?(dispute: DisputeRef, evidence: DisputeEvidence, key: string, psp: PspContext<C>): Promise<PspDispute>;
}
