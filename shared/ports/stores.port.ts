import type { RunningTest } from '#shared/domain/ab-test.model.ts';
import type { ApiKey } from '#shared/domain/api-key.model.ts';
import type { Connection } from '#shared/domain/connection.model.ts';
import type { ConnectionAudit } from '#shared/domain/connection-audit.rules.ts';
import type { EventAttempt, EventRecord, NewEvent } from '#shared/domain/events.catalog.ts';
import type { FraudPolicy } from '#shared/domain/fraud-policy.model.ts';
import type { CallTotals } from '#shared/domain/health.rules.ts';
import type { Organization } from '#shared/domain/organization.model.ts';
import type { Renamed } from '#shared/domain/organization.rules.ts';
import type { Owner } from '#shared/domain/owner.model.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import type { RateClass, RateState } from '#shared/domain/rate-limits.rules.ts';
import type { ReceiverAudit } from '#shared/domain/receiver-audit.rules.ts';
import type { ReceiverConfig } from '#shared/domain/receiver-config.model.ts';
import type { RoutingRule } from '#shared/domain/routing-rule.model.ts';
import type { Usage } from '#shared/domain/usage.rules.ts';
import type { ClaimTicket, Operation } from '#shared/kernel/operation.ts';
import type { Item } from '#shared/ports/table.port.ts';

/** All that routing needs to know of an organization, from one query. */
export type Setup = {
  readonly organization: Organization | undefined;
  readonly connections: readonly Connection[];
  /** The ids of those that were deleted: payments were made through them. */
  readonly deletedConnections: readonly string[];
  readonly rules: readonly RoutingRule[];
  /** Those that run. */
  readonly tests: readonly RunningTest[];
  readonly fraud: FraudPolicy | undefined;
  /** How each connection's calls go; those never called are missing. */
  readonly calls: ReadonlyMap<string, CallTotals>;
  /** What counts against its plan by the month; a moment late. */
  readonly usage: Usage;
};

export interface OrganizationsPort {
  /** This one, or the one that another try has put in its place. */
  create(organization: Organization): Promise<Organization>;
  setup(orgId: string): Promise<Setup>;
  /** Alone, and as it is now. */
  byId(orgId: string): Promise<Organization | undefined>;
  /** At most 100, in their order. */
  byIds(orgIds: readonly string[]): Promise<readonly (Organization | undefined)[]>;
  /** Its names, and what follows from them. False when somebody has changed it since `before` was read. */
  change(before: Organization, changed: Renamed): Promise<boolean>;
}

/** `full`: the windows have no room; the key is valid all the same. */
export type Room = { readonly full: { readonly retryAfter: number } | undefined };
export type Counted = Room & { readonly rate: RateState };
export type Authenticated = Counted & { readonly key: ApiKey };

/** As a list finds it: by its hash the key itself is found. */
export type KeyEntry = ApiKey & { readonly hash: string };

export interface KeysPort {
  create(key: ApiKey, hash: string): Promise<void>;
  list(orgId: string): Promise<readonly KeyEntry[]>;
  /** When each of them was last used, in their order; a moment late. A public key's is up to an hour old. */
  lastUsed(keys: readonly Pick<KeyEntry, 'hash'>[]): Promise<readonly (string | null)[]>;
  /** True if it was there. Takes effect with the next request. */
  revoke(orgId: string, id: string): Promise<boolean>;
  /** Finds the key by its hash and counts the request, in one call; undefined for a key that is unknown or revoked. */
  authenticate(hash: string, rateClass: RateClass, at: Date): Promise<Authenticated | undefined>;
  /** Without counting: for keys whose requests are counted by address. Their use is noted once an hour. */
  find(hash: string, at: Date): Promise<ApiKey | undefined>;
  /** Counts for a source address, or a public key with one. */
  countAddress(address: string, rateClass: RateClass, at: Date): Promise<Counted>;
  /** A payment that somebody at this address starts at a payment link's page. */
  countLinkStart(address: string, at: Date): Promise<Counted>;
  /** A sign-in link to this mail address, asked for from this source address: what the one has no room for doesn't count for the other. */
  countSignIn(email: string, address: string, at: Date): Promise<Room>;
  /** A code of an authenticator app that is tried for this user. */
  countCode(userId: string, at: Date): Promise<Counted>;
  /** An invitation that this organization mails to this address; one that is refused for the address's sake is none of the organization's. */
  countInvitation(orgId: string, email: string, at: Date): Promise<Room>;
  /** What `countAddress` would show, uncounted. */
  showAddress(address: string, at: Date): Promise<RateState>;
}

export type StoredAnswer = { readonly status: number; readonly body: string; readonly location?: string };

export type ClaimState =
  | { readonly state: 'new' | 'taken_over'; readonly operation: Operation; readonly claimId: string }
  | { readonly state: 'running'; readonly retryAfter: number }
  | { readonly state: 'answered'; readonly answer: StoredAnswer; readonly sealed: boolean; readonly credentialId: string; readonly claimId: string }
  | { readonly state: 'reused' };

export interface ClaimsPort {
  claim(ticket: ClaimTicket, at: Date): Promise<ClaimState>;
  complete(claimId: string, answer: StoredAnswer, sealed: boolean): Promise<void>;
  /** The key is free again, as if it had not been used. */
  release(claimId: string): Promise<void>;
  /** The request has ended without an answer that counts: the next one with the key goes on with the operation, at once. */
  lapse(claimId: string): Promise<void>;
}

export type PaymentClaim =
  | { readonly state: 'new' | 'taken_over'; readonly payment: Payment; readonly operation: Operation }
  | { readonly state: 'running'; readonly retryAfter: number }
  | { readonly state: 'answered'; readonly payment: Payment }
  | { readonly state: 'reused' };

/** `undefined` from `decide`: nothing to change. It may be called again with a newer payment. */
export type Decide = (payment: Payment) => Payment | undefined;

export type ListWhere = {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string;
  readonly status?: string;
  readonly customer_id?: string;
  readonly connection_id?: string;
  readonly currency?: string;
  readonly created_after?: string;
  readonly created_before?: string;
};

export type ListPage<T> = { readonly items: readonly T[]; readonly next: string | undefined };

export interface PaymentsPort {
  /**
   * Writes the payment that `plan` makes, which is at once the claim of the key; or finds the one an earlier request made,
   * which it does first where `plan` refuses (an `AppError`).
   */
  claim(ticket: ClaimTicket, at: Date, plan: (operation: Operation) => Promise<Payment>): Promise<PaymentClaim>;
  /** The payment that this key has made, if it has, whatever it came with. */
  claimed(ticket: ClaimTicket): Promise<Payment | undefined>;
  get(orgId: string, id: string): Promise<Payment | undefined>;
  /** Without knowing the organization: for callers that check it themselves (the relay, the sweeper, callbacks). */
  byId(id: string): Promise<Payment | undefined>;
  /** The payment that this try of an operation would have made, or that another try has: then its id has another time. */
  ofAnyTry(id: string): Promise<Payment | undefined>;
  byReference(provider: string, reference: string): Promise<Payment | undefined>;
  /** Decides on the payment at hand and writes on its version; a lost race decides again on what won. */
  change(payment: Payment, decide: Decide): Promise<Payment>;
  /** The payment in an item of the change feed. */
  read(item: Item): Payment;
  /** The payment as its create request was answered. */
  answered(payment: Payment): Promise<Payment>;
  list(orgId: string, connectionIds: readonly string[], where: ListWhere): Promise<ListPage<Payment>>;
}

export interface ConnectionsPort {
  /** Deleted ones too: payments that were made through them still ask. */
  get(orgId: string, id: string): Promise<Connection | undefined>;
  /**
   * With its audit's entry, at once. False when the stored one is not at `connection.version - 1` (0: not there), or there is
   * no workflow template `template`, which it names from now on.
   */
  save(connection: Connection, audit?: ConnectionAudit, template?: string): Promise<boolean>;
  /** Newest first, from the entry of that number downwards. */
  audit(orgId: string, id: string, from: number, limit: number): Promise<readonly ConnectionAudit[]>;
}

/** Events that were created from `since` on and before `until`; behind the event `after`. */
export type FailedWhere = { readonly since: string; readonly until: string; readonly type?: string | undefined; readonly after?: string | undefined };
/** Oldest first. `next` is what the next page is `after`, where there may be one, also of a page on which nothing is of the type. */
export type FailedPage = { readonly ids: readonly string[]; readonly next: string | undefined };

export interface EventsPort {
  /** The stored event: the given one, or what an earlier try stored under this id. `dueAt`: when the sweeper looks after one that nobody settled. */
  record(event: NewEvent, dueAt?: Date): Promise<EventRecord>;
  get(orgId: string, id: string): Promise<EventRecord | undefined>;
  list(
    orgId: string,
    where: {
      readonly limit: number;
      readonly offset: number;
      readonly cursor?: string;
      readonly type?: string;
      readonly status?: string;
      readonly created_after?: string;
      readonly created_before?: string;
    },
  ): Promise<ListPage<EventRecord>>;
  /** Up to so many of those that have failed, at most a hundred. */
  failed(orgId: string, where: FailedWhere, limit: number): Promise<FailedPage>;
  /** Adds an attempt (or none, for `skipped`) if none has been added to those in `event`. `dueAt`: for waits that outlast the queue. */
  settle(
    event: EventRecord,
    next: { readonly attempt?: EventAttempt; readonly status: EventRecord['status']; readonly nextAt: Date | null; readonly dueAt: Date | null },
  ): Promise<boolean>;
  /** Adds a failed try beside those that are planned, which it leaves alone, or to what has ended; on the same condition. */
  noteReplay(event: EventRecord, attempt: EventAttempt): Promise<boolean>;
  /** Has the sweeper look at an event then which is pending still, with as many tries. */
  arm(event: Pick<EventRecord, 'id' | 'org_id' | 'tries'>, dueAt: Date): Promise<void>;
  /** Takes an entry of the due index: false when somebody else has. Not due again before `until`, unless it is settled first. */
  take(event: EventRecord, dueAt: string, until: Date): Promise<boolean>;
}

export interface ReceiversPort {
  get(orgId: string): Promise<ReceiverConfig | undefined>;
  /** With its audit's entry, at once. False when the stored one is not at `config.version - 1` (0: not there). Of `failing_since` it can only be rid. */
  save(config: ReceiverConfig, audit?: ReceiverAudit, startsAnew?: boolean): Promise<boolean>;
  /** As `save`, for what is turned off by itself: false also where a success was seen since it was read. */
  turnOff(config: ReceiverConfig, audit: ReceiverAudit): Promise<boolean>;
  /** Of the version that was read, if that has no such time yet. */
  noteFailing(config: ReceiverConfig, since: Date): Promise<void>;
  /** That it fails no longer: takes away the time that was read. */
  noteBack(config: ReceiverConfig): Promise<void>;
  /** Newest first, from the entry of that number downwards. */
  audit(orgId: string, from: number, limit: number): Promise<readonly ReceiverAudit[]>;
}

export interface OwnersPort {
  /** True if this call made the record; false if the address had one already, which stays as it is. */
  record(owner: Owner): Promise<boolean>;
  byEmail(email: string): Promise<Owner | undefined>;
}

/** What time asks for: entries of the due index, one shard after another. */
export type DueItem = {
  readonly kind: 'payment' | 'payment_link' | 'event' | 'connection' | 'ab_test' | 'subscription' | 'invoice' | 'execution' | 'owed_start';
  readonly id: string;
  readonly pk: string;
  readonly sk: string;
  readonly at: string;
  /** Where the entry says whose it is. */
  readonly orgId?: string;
};
export interface DuePort {
  readonly shards: readonly string[];
  /** Oldest first: the first page, or the one after that entry. One that is full may have others behind it. */
  due(shard: string, until: Date, limit: number, after?: DueItem): Promise<readonly DueItem[]>;
  /** The earliest entry of all shards, if any: for a clock that jumps. */
  earliest(): Promise<string | undefined>;
}
