import { ID_PREFIX, randomBits, shardOf } from '#shared/kernel/ids.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { FollowedResources } from '#shared/ports/changes.port.ts';
import type { DueEntry } from '#shared/ports/due.port.ts';
import type { Key } from '#shared/store/table/table.port.ts';

/** The sort keys of the records whose changes are followed: each of these has a partition of its own. */
export const SORT_KEYS = {
  payment: 'PAY',
  payment_link: 'LINK',
  subscription: 'SUB',
  invoice: 'INV',
  execution: 'EXEC',
  dispute: 'DISP',
} as const satisfies Record<keyof FollowedResources, string>;

/**
 *   item                 pk                 sk                    notes
 *   payment              PAY#<random bits>  PAY                   a partition each: no organization is a hot key
 *   create response      PAY#<random bits>  ANSWER                kept once the payment has changed since its creation
 *   secondary charge     PAY#<random bits>  CHARGE#<id>           finds the payment by the reference of another charge, or of a capture
 *   refund page          PAY#<random bits>  REFUNDS#<page>        refunds that do not fit into the item of the payment
 *   filed refund         PAY#<random bits>  REFUND                of the refund's id: leads to its payment; `payment-index.ts`
 *   review               REVIEW#<random bits>  REVIEW             a payment under review, in an index while it is: `review-keys.ts`
 *   agent's request      AGENT#<random bits>   AGENT              found by its key and its idempotency key: `agent-keys.ts`
 *   agents' limits       AGENTS#<org>       LIMITS                what the keys of agents may move in a day without a person
 *   agent's spending     AGENTDAY#<key>     <currency>            what one of them moves within a day
 *   claim                PAY#<random bits>  PAY                   the key that a payment of its idempotency key has
 *   response part        PAY#<random bits>  ANSWER#<number>       of a claim whose response does not fit into its item
 *   API key              KEY#<hash>         KEY                   authenticated and counted by one update; `#<number>`:
 *                                                                 a further counter of a key with a high rate limit
 *   IP address           ADDR#<hash>        ADDR                  rate windows of requests without a credential
 *   organization         ORG#<org>          org                   with the rest of its setup: sort keys from `a` to `z`
 *   routing snapshot     ROUTING#<org>#<n>  ROUTING               of that setup, as payments read it; in `n` equal copies
 *   connection           ORG#<org>          conn#<id>
 *   connection audit     AUDIT#<org>#<id>   <number>              grows without end: not in the partition of routing
 *   fraud policy         ORG#<org>          pol#fraud
 *   retry policy         RETRY#<org>        plan#<plan>           plan is empty for the default of the organization
 *   velocity             VEL#<hash>         VEL                   recent payments with the same value, by rule
 *   retry budget         BUDGET#<hash>      BUDGET                declined attempts with one token
 *   routing rule         ORG#<org>          rule#<id>
 *   running tests        ORG#<org>          running_tests         in one item: two overlapping tests cannot both start
 *   A/B test             TEST#<org>         <test id>
 *   A/B test totals      TEST#<org>         <test id>#<variant>   updated by the projector
 *   listed API key       ORGKEYS#<org>      <key id>              for lists and revocation
 *   revoked API key      OLDKEYS#<org>      <key id>              who created it, and so the keys that it created
 *   webhook config       RECV#<org>         RECV
 *   webhook config audit AUDIT#<org>        <number>
 *   bulk replay          RECV#<org>         REPLAY                the running replay of failed events, or the last one
 *   owner                OWNER#<hash>       OWNER                 by mail address: owner of a bootstrapped organization
 *   mail address         MAIL#<hash>        MAIL                  which user signs in with it: one user per address
 *   user                 USER#<user>        USER
 *   membership           USER#<user>        org#<org>             what a session may do in the organization
 *   member               MEMBERS#<org>      <user id>             the same, for the list of the organization
 *   member count         MEMBERS#<org>      COUNT                 and the number of owners
 *   sign-in link         SIGNIN#<hash>      SIGNIN                by its token
 *   undo link            UNDO#<hash>        UNDO                  by its token: undoes a change of how a user signs in
 *   session              SESS#<hash>        SESS                  by its cookie; found, extended and counted at once
 *   session of a user    USER#<user>        sess#<hash>           to end all sessions of a user
 *   passkey              USER#<user>        passkey#<hash>
 *   passkey owner        PASSKEY#<hash>     PASSKEY               by the id of the passkey: one user per passkey
 *   passkey challenge    CHALLENGE#<hash>   CHALLENGE             used once
 *   platform role        PLATFORM           admin#<user>
 *   account recovery     RECOVERIES         <user id>             few: listed from one partition
 *   platform audit       ACTS               <entry id>            few, as each is an action of a person: one partition
 *   organization audit   ACTS#<org>         <entry id>            grows without end: not in the partition of routing
 *   call totals          STAT#<org>         calls#<connection>    its health too; `#2`: of a second connection
 *   foreign events       STAT#<org>         calls#<connection>#foreign#<generation>   read with its call totals
 *   usage                STAT#<org>         usage                 what the plan limits by the month
 *   day totals           STAT#<org>         <day>#<currency>#<connection>   of the payments created on that day
 *   subscription totals  STAT#<org>         subs#<day>#<currency>   what moved on that day; `now` instead of the day: how they stand
 *   lane of a total      STAT#<org>#<path>  as above, or ab#<test>#<variant>   once the total has many stream shards
 *   routing summary      STAT#<org>#summary summary               what payments read of the totals
 *   held totals          HELD#<shard>       HELD                  changes of a stream shard that could not be added yet
 *   older call totals    ORG#<org>          health#<connection>   of earlier releases; moved with the next change
 *   older usage          ORG#<org>          usage                 likewise
 *   payment link         LINK#<id>          LINK                  by its id: its page does not know the organization
 *   subscription         SUB#<id>           SUB
 *   invoice              INV#<id>           INV                   a partition per invoice, as for payments
 *   dispute              DISP#<random bits>  DISP                 by its id, which derives from connection and reference
 *   dispute poll         DPOLL#<org>        <connection>          up to when the disputes of a PSP without callbacks are known
 *   payment by address   PMAIL#<hash>       <payment id>          made by the relay, if its customer's address is known
 *   payment method       PM#<random bits>   PM                    by its id; its customer's item says whose it is
 *   customer             CUST#<org>#<customer>  CUST              the ids of the customer's payment methods, and which is the default
 *   erasure              ERASE#<random bits>  ERASE               what of a customer is left to erase; due until it is done
 *   workflows            WORK#<org>         <kind>#<id>           integrations, templates, rules; `head` counts changes
 *   template version     WORKV#<org>#<id>   <version>             executions keep the version that they started with
 *   execution            EXEC#<id>          EXEC                  a partition per execution
 *   pending start        OWED#<event id>    OWED                  an execution to start later; due until it is started
 *   event                EVT#<org>#<shard>  <event id>            listed without an index
 *   failed request       FAILED#<org>       <time>#<request id>   deleted after a week; see `failure-log.repo`
 *   failed requests of a minute  FAILCOUNT#<org>  <share>#<minute>  how many are kept: it has a limit
 *   self check           HEALTH             HEALTH                read to see whether the table answers; notes that the probe was set up
 *   sweep page           SWEEP#<due shard>  <time>#<first entry>  entries that a sweep of a large backlog enqueued
 */
export const keys = {
  payment: (id: string, bits = randomBits(id)): Key => ({ pk: `PAY#${bits}`, sk: SORT_KEYS.payment }),
  createResponse: (paymentId: string): Key => ({ pk: `PAY#${randomBits(paymentId)}`, sk: 'ANSWER' }),
  secondaryCharge: (paymentId: string, chargeId: string): Key => ({
    pk: `PAY#${randomBits(paymentId)}`,
    sk: `CHARGE#${chargeId}`,
  }),
  refundPage: (paymentId: string, name: string): Key => ({
    pk: `PAY#${randomBits(paymentId)}`,
    sk: `REFUNDS#${name}`,
  }),
  claim: (seed: string): Key => {
    const id = operationId({ seed, at: new Date(0), resumed: false }, 'payment');
    return keys.payment(id, randomBits(id));
  },
  claimPart: (seed: string, number: number): Key => ({ pk: keys.claim(seed).pk, sk: `ANSWER#${number}` }),
  apiKey: (hash: string, shard = 0): Key => ({ pk: shard === 0 ? `KEY#${hash}` : `KEY#${hash}#${shard}`, sk: 'KEY' }),
  address: (hash: string): Key => ({ pk: `ADDR#${hash}`, sk: 'ADDR' }),
  organization: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'org' }),
  routingSnapshot: (orgId: string, copy: number): Key => ({ pk: `ROUTING#${orgId}#${copy}`, sk: 'ROUTING' }),
  connection: (orgId: string, id: string): Key => ({ pk: `ORG#${orgId}`, sk: `conn#${id}` }),
  connectionAudit: (orgId: string, id: string, number: number): Key => ({
    pk: `AUDIT#${orgId}#${id}`,
    sk: String(number).padStart(10, '0'),
  }),
  fraudPolicy: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'pol#fraud' }),
  retryPolicy: (orgId: string, planId: string): Key => ({ pk: `RETRY#${orgId}`, sk: `plan#${planId}` }),
  velocity: (hash: string): Key => ({ pk: `VEL#${hash}`, sk: 'VEL' }),
  retryBudget: (hash: string): Key => ({ pk: `BUDGET#${hash}`, sk: 'BUDGET' }),
  routingRule: (orgId: string, id: string): Key => ({ pk: `ORG#${orgId}`, sk: `rule#${id}` }),
  runningAbTests: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'running_tests' }),
  abTest: (orgId: string, id: string): Key => ({ pk: testPartition(orgId), sk: id }),
  abTestTotals: (orgId: string, testId: string, variant: string): Key => ({
    pk: testPartition(orgId),
    sk: `${testId}#${variant}`,
  }),
  listedApiKey: (orgId: string, id: string): Key => ({ pk: `ORGKEYS#${orgId}`, sk: id }),
  revokedApiKey: (orgId: string, id: string): Key => ({ pk: `OLDKEYS#${orgId}`, sk: id }),
  webhookConfig: (orgId: string): Key => ({ pk: `RECV#${orgId}`, sk: 'RECV' }),
  bulkReplay: (orgId: string): Key => ({ pk: `RECV#${orgId}`, sk: 'REPLAY' }),
  webhookConfigAudit: (orgId: string, number: number): Key => ({
    pk: `AUDIT#${orgId}`,
    sk: String(number).padStart(10, '0'),
  }),
  owner: (hash: string): Key => ({ pk: `OWNER#${hash}`, sk: 'OWNER' }),
  mailAddress: (hash: string): Key => ({ pk: `MAIL#${hash}`, sk: 'MAIL' }),
  user: (id: string): Key => ({ pk: `USER#${id}`, sk: 'USER' }),
  membership: (userId: string, orgId: string): Key => ({ pk: `USER#${userId}`, sk: `org#${orgId}` }),
  member: (orgId: string, userId: string): Key => ({ pk: `MEMBERS#${orgId}`, sk: userId }),
  memberCount: (orgId: string): Key => ({ pk: `MEMBERS#${orgId}`, sk: 'COUNT' }),
  signInLink: (hash: string): Key => ({ pk: `SIGNIN#${hash}`, sk: 'SIGNIN' }),
  undoLink: (hash: string): Key => ({ pk: `UNDO#${hash}`, sk: 'UNDO' }),
  session: (hash: string): Key => ({ pk: `SESS#${hash}`, sk: 'SESS' }),
  userSession: (userId: string, hash: string): Key => ({ pk: `USER#${userId}`, sk: `sess#${hash}` }),
  passkeyOfUser: (userId: string, hash: string): Key => ({ pk: `USER#${userId}`, sk: `passkey#${hash}` }),
  passkey: (hash: string): Key => ({ pk: `PASSKEY#${hash}`, sk: 'PASSKEY' }),
  passkeyChallenge: (hash: string): Key => ({ pk: `CHALLENGE#${hash}`, sk: 'CHALLENGE' }),
  platformAdmin: (userId: string): Key => ({ pk: 'PLATFORM', sk: `admin#${userId}` }),
  recovery: (userId: string): Key => ({ pk: 'RECOVERIES', sk: userId }),
  platformAuditEntry: (id: string): Key => ({ pk: 'ACTS', sk: id }),
  organizationAuditEntry: (orgId: string, id: string): Key => ({ pk: `ACTS#${orgId}`, sk: id }),
  callTotals: (orgId: string, connectionId: string, generation?: string): Key => ({
    pk: statPartition(orgId),
    sk: generation === undefined ? `calls#${connectionId}` : `calls#${connectionId}#${generation}`,
  }),
  foreignEvents: (orgId: string, connectionId: string, generation: number): Key => ({
    pk: statPartition(orgId),
    sk: `calls#${connectionId}#foreign#${generation}`,
  }),
  usage: (orgId: string): Key => ({ pk: statPartition(orgId), sk: 'usage' }),
  olderCallTotals: (orgId: string, connectionId: string, generation?: string): Key => ({
    pk: `ORG#${orgId}`,
    sk: generation === undefined ? `health#${connectionId}` : `health#${connectionId}#${generation}`,
  }),
  olderUsage: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'usage' }),
  totalLane: (orgId: string, path: string, name: string): Key => ({ pk: lanePartition(orgId, path), sk: name }),
  heldTotals: (shard: string): Key => ({ pk: `${HELD_PREFIX}${shard}`, sk: 'HELD' }),
  routingSummary: (orgId: string): Key => ({ pk: `${statPartition(orgId)}#summary`, sk: 'summary' }),
  dayTotals: (orgId: string, day: string, currency: string, connectionId: string | null): Key => ({
    pk: statPartition(orgId),
    sk: `${day}#${currency}#${connectionId ?? ''}`,
  }),
  paymentLink: (id: string): Key => ({ pk: `${LINK_PREFIX}${id}`, sk: SORT_KEYS.payment_link }),
  selfCheck: { pk: 'HEALTH', sk: 'HEALTH' } satisfies Key,
  subscription: (id: string): Key => ({ pk: `${SUBSCRIPTION_PREFIX}${id}`, sk: SORT_KEYS.subscription }),
  invoice: (id: string): Key => ({ pk: `${INVOICE_PREFIX}${id}`, sk: SORT_KEYS.invoice }),
  dispute: (id: string): Key => ({ pk: `${DISPUTE_PREFIX}${randomBits(id)}`, sk: SORT_KEYS.dispute }),
  disputePoll: (orgId: string, connectionId: string): Key => ({
    pk: `${DISPUTE_POLL_PREFIX}${orgId}`,
    sk: connectionId,
  }),
  paymentMethod: (id: string): Key => ({ pk: `PM#${randomBits(id)}`, sk: 'PM' }),
  customer: (orgId: string, customerId: string): Key => ({ pk: `CUST#${orgId}#${customerId}`, sk: 'CUST' }),
  erasure: (id: string): Key => ({ pk: `${ERASURE_PREFIX}${randomBits(id)}`, sk: 'ERASE' }),
  workflowHead: (orgId: string): Key => ({ pk: workflowPartition(orgId), sk: 'head' }),
  workflow: (orgId: string, kind: string, id: string): Key => ({ pk: workflowPartition(orgId), sk: `${kind}#${id}` }),
  templateVersion: (orgId: string, id: string, version: number): Key => ({
    pk: `WORKV#${orgId}#${id}`,
    sk: String(version).padStart(10, '0'),
  }),
  execution: (id: string): Key => ({ pk: `${EXECUTION_PREFIX}${id}`, sk: SORT_KEYS.execution }),
  pendingStart: (eventId: string): Key => ({ pk: `${OWED_START_PREFIX}${eventId}`, sk: 'OWED' }),
  event: (orgId: string, id: string, listShards = EVENT_SHARDS): Key => ({
    pk: eventPartition(orgId, shardOf(id, listShards)),
    sk: id,
  }),
  sweepPage: (dueShard: string, at: Date, first: string): Key => ({
    pk: sweepPartition(dueShard),
    sk: `${at.toISOString()}#${first}`,
  }),
};

/**
 * A partition takes 1,000 writes a second, so lists are spread over this many shards: payments for each connection, the
 * others for each organization. A large organization has more: see `capacity.rules`.
 */
export const LIST_SHARDS = 4;
export const EVENT_SHARDS = 4;
/**
 * All organizations together write to these, so they must take what the whole stage has due: 64,000 changes a second.
 * Entries of earlier releases are in the first four. The number may grow, and never shrink.
 */
export const DUE_SHARDS = 64;

/** The partition of a record. It stays where it was stored, however many partitions its organization has now. */
export const listShardOf = ({ id, list_shards = LIST_SHARDS }: ShardedRecord): number => shardOf(id, list_shards);
type ShardedRecord = { readonly id: string; readonly list_shards?: number };

const LINK_PREFIX = 'LINK#';
const SUBSCRIPTION_PREFIX = 'SUB#';
const INVOICE_PREFIX = 'INV#';
const DISPUTE_PREFIX = 'DISP#';
const DISPUTE_POLL_PREFIX = 'DPOLL#';
const ERASURE_PREFIX = 'ERASE#';
const EXECUTION_PREFIX = 'EXEC#';
const OWED_START_PREFIX = 'OWED#';
const HELD_PREFIX = 'HELD#';
const STAT_PREFIX = 'STAT#';
const TEST_PREFIX = 'TEST#';
export const testPartition = (orgId: string): string => TEST_PREFIX + orgId;
export const statPartition = (orgId: string): string => STAT_PREFIX + orgId;
/** The first lane of a total, with the empty path, is in the partition of the organization's totals. */
export const lanePartition = (orgId: string, path: string): string =>
  path === '' ? statPartition(orgId) : `${statPartition(orgId)}#${path}`;
const SUBSCRIPTION_TOTALS = 'subs#';
/** Not among `keys`, so that functions that count no subscriptions do not load it. */
export const subscriptionTotals = (orgId: string, day: string | null, currency: string): Key => ({
  pk: statPartition(orgId),
  sk: `${SUBSCRIPTION_TOTALS}${day ?? 'now'}#${currency}`,
});
/** The days from this one on, and how subscriptions stand now: a letter sorts after every digit. */
export const subscriptionTotalsFrom = (day: string) =>
  ({ between: [`${SUBSCRIPTION_TOTALS}${day}#`, `${SUBSCRIPTION_TOTALS}now#~`] }) as const;
export const workflowPartition = (orgId: string): string => `WORK#${orgId}`;
export const eventPartition = (orgId: string, shard: number): string => `EVT#${orgId}#${shard}`;
export const sweepPartition = (dueShard: string): string => `SWEEP#${dueShard}`;
export const shards = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

/** Stands for the connection of a payment that has none. No connection id can equal it. */
const NO_CONNECTION = '@none';

/**
 * The partitions of each index. `list` and `status` are newest first, `customer` is by customer, `lookup` by any other
 * reference to a record. Organization ids and provider names never begin with an @, so no text of a client can produce
 * a key with an @ prefix. Customer and plan ids may contain any character: each comes last, or directly before the
 * shard, which is what follows the last #.
 */
export const indexKeys = {
  payments: (orgId: string, connectionId: string | null, shard: number): string =>
    `${orgId}#${connectionId ?? NO_CONNECTION}#${shard}`,
  paymentsByStatus: (orgId: string, status: string, shard: number): string => `${orgId}#${status}#${shard}`,
  paymentsOfCustomer: (orgId: string, customerId: string): string => `${orgId}#${customerId}`,
  pspReference: (provider: string, reference: string): string => `${provider}#${reference}`,
  links: (orgId: string): string => `${orgId}#@links`,
  linksByStatus: (orgId: string, status: string): string => `${orgId}#@links#${status}`,
  linksOfCustomer: (orgId: string, customerId: string): string => `${orgId}#@links#@customer#${customerId}`,
  /** Active links by expiry time: finds a link that has expired before a sweep has recorded it. */
  linksByExpiry: (orgId: string): string => `${orgId}#@links#@ending`,
  organizations: (shard: number): string => `@organizations#${shard}`,
  organizationsByKyc: (kyc: string, shard: number): string => `@organizations#${kyc}#${shard}`,
  subscriptions: (orgId: string, shard: number): string => `@sub#${orgId}#${shard}`,
  subscriptionsByStatus: (orgId: string, status: string, shard: number): string => `@sub#${orgId}#${status}#${shard}`,
  subscriptionsOfCustomer: (orgId: string, customerId: string): string => `@sub#${orgId}#${customerId}`,
  /** Sharded, because one plan may have most of the subscriptions. */
  subscriptionsOfPlan: (orgId: string, planId: string, shard: number): string => `@sub#${orgId}#${planId}#${shard}`,
  invoices: (orgId: string, shard: number): string => `@inv#${orgId}#${shard}`,
  invoicesByStatus: (orgId: string, status: string, shard: number): string => `@inv#${orgId}#${status}#${shard}`,
  invoicesOfCustomer: (orgId: string, customerId: string): string => `@inv#${orgId}#${customerId}`,
  invoicesOfSubscription: (orgId: string, subscriptionId: string): string => `@inv#${orgId}#${subscriptionId}`,
  disputes: (orgId: string, shard: number): string => `@disp#${orgId}#${shard}`,
  disputesByStatus: (orgId: string, status: string, shard: number): string => `@disp#${orgId}#${status}#${shard}`,
  disputesOfPayment: (orgId: string, paymentId: string): string => `@disp#${orgId}#${paymentId}`,
  /** A dispute by the PSP's reference: some callbacks name nothing else. */
  pspDispute: (provider: string, reference: string): string => `@dispute#${provider}#${reference}`,
  /** Contains an event only while it is failed. */
  failedEvents: (orgId: string, shard: number): string => `@evt#${orgId}#failed#${shard}`,
  executions: (orgId: string, shard: number): string => `@exec#${orgId}#${shard}`,
  executionsByStatus: (orgId: string, status: string, shard: number): string => `@exec#${orgId}#${status}#${shard}`,
  executionsOfTemplate: (orgId: string, templateId: string, shard: number): string =>
    `@exec#${orgId}#${templateId}#${shard}`,
  due: (id: string, shard = shardOf(id, DUE_SHARDS)): string => `DUE#${shard}`,
};

/**
 * The attributes that put an item into the index of due work: `<time>#<id>`, or `<time>#<id>#<organization>` if the key
 * of the item does not contain the organization.
 */
export const dueEntry = (at: string | undefined, id: string, orgId?: string, shard?: number): Record<string, string> =>
  at === undefined
    ? {}
    : { due_pk: indexKeys.due(id, shard), due_sk: [at, id, ...(orgId === undefined ? [] : [orgId])].join('#') };

/** The time of an entry in the index of due work. */
export const dueTime = (entry: string): string => entry.slice(0, entry.indexOf('#'));

/** The id of the record of an entry in the index of due work. */
export const dueId = (entry: string): string => entry.split('#')[1] ?? '';

/** Sorts after all entries that are due by then. */
export const dueEnd = (until: Date): string => `${until.toISOString()}#~`;

/** Ranges of a partition that are read whole. */
export const ranges = {
  /** The whole setup of an organization: its sort keys begin with a lower-case letter. */
  routingSetup: (orgId: string) => ({ pk: `ORG#${orgId}`, range: { between: ['a', 'z'] } }) as const,
  connections: (orgId: string) => ({ pk: `ORG#${orgId}`, range: { prefix: keys.connection('', '').sk } }) as const,
  routingRules: (orgId: string) => ({ pk: `ORG#${orgId}`, range: { prefix: keys.routingRule('', '').sk } }) as const,
  workflowRules: (orgId: string) =>
    ({ pk: workflowPartition(orgId), range: { between: ['rule#', 'rule#~'] } }) as const,
  apiKeys: (orgId: string) => ({ pk: keys.listedApiKey(orgId, '').pk }),
  revokedApiKeys: (orgId: string) => ({ pk: keys.revokedApiKey(orgId, '').pk }),
  members: (orgId: string) => ({ pk: keys.member(orgId, '').pk, range: { prefix: `${ID_PREFIX.user}_` } }),
  memberships: (userId: string) => ({ pk: keys.user(userId).pk, range: { prefix: keys.membership('', '').sk } }),
  userSessions: (userId: string) => ({ pk: keys.user(userId).pk, range: { prefix: keys.userSession('', '').sk } }),
  passkeysOfUser: (userId: string) => ({ pk: keys.user(userId).pk, range: { prefix: keys.passkeyOfUser('', '').sk } }),
  recoveries: () => ({ pk: keys.recovery('').pk }),
  platformAdmins: () => ({ pk: keys.platformAdmin('').pk, range: { prefix: keys.platformAdmin('').sk } }),
  retryPolicies: (orgId: string) => ({ pk: keys.retryPolicy(orgId, '').pk }),
};

/** The kinds of due work, by the prefix of their partition keys. An item with any other prefix is a payment. */
export const dueKinds: readonly {
  readonly prefix: string;
  readonly kind: DueEntry['kind'];
  /** The partition key contains the organization, and the index entry does not. */
  readonly orgInKey?: boolean;
}[] = [
  { prefix: 'EVT#', kind: 'event', orgInKey: true },
  { prefix: 'ORG#', kind: 'connection', orgInKey: true },
  { prefix: TEST_PREFIX, kind: 'ab_test', orgInKey: true },
  { prefix: LINK_PREFIX, kind: 'payment_link' },
  { prefix: SUBSCRIPTION_PREFIX, kind: 'subscription' },
  { prefix: INVOICE_PREFIX, kind: 'invoice' },
  { prefix: DISPUTE_PREFIX, kind: 'dispute' },
  { prefix: DISPUTE_POLL_PREFIX, kind: 'dispute_poll', orgInKey: true },
  { prefix: ERASURE_PREFIX, kind: 'erasure' },
  { prefix: EXECUTION_PREFIX, kind: 'execution' },
  { prefix: OWED_START_PREFIX, kind: 'owed_start' },
  { prefix: HELD_PREFIX, kind: 'held_totals' },
];

export const dueShards: readonly string[] = shards(DUE_SHARDS).map((n) => `DUE#${n}`);
