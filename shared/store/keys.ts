import { ID_PREFIX, randomBits, shardOf } from '#shared/kernel/ids.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { DueEntry } from '#shared/ports/due.port.ts';
import type { Key } from '#shared/store/table/table.port.ts';

/**
 *   item               pk                  sk                    why there
 *   payment            PAY#<random bits>   PAY                   one partition a payment: no organization is a hot key
 *   create response    PAY#<random bits>   ANSWER                what the create request returned, once it has changed
 *   secondary charge   PAY#<random bits>   CHARGE#<attempt>      refunded while the payment goes by another charge
 *   claim              PAY#<random bits>   PAY                   where the payment of the same idempotency key would be
 *   API key            KEY#<hash>          KEY                   found and counted by one update
 *   address            ADDR#<hash>         ADDR                  rate windows of requests without a credential
 *   organization       ORG#<org>           org                   routing reads `a` to `z` of this partition
 *   connection         ORG#<org>           conn#<id>
 *   its audit          AUDIT#<org>#<id>    <number>              grows without end: not where routing reads
 *   fraud policy       ORG#<org>           pol#fraud
 *   retry policy       RETRY#<org>         plan#<plan>           the organization's own has no plan
 *   velocity           VEL#<hash>          VEL                   payments that share a value, by rule
 *   retry budget       BUDGET#<hash>       BUDGET                declined attempts with one token
 *   routing rule       ORG#<org>           rule#<id>
 *   running tests      ORG#<org>           running_tests         all in one item: of two that overlap one starts
 *   A/B test           TEST#<org>          <test id>
 *   its totals         TEST#<org>          <test id>#<variant>   kept by the projector
 *   listed API key     ORGKEYS#<org>       <key id>              for lists and revocation
 *   webhook config     RECV#<org>          RECV
 *   its audit          AUDIT#<org>         <number>
 *   owner              OWNER#<hash>        OWNER                 owner of a bootstrapped organization, by address
 *   mail address       MAIL#<hash>         MAIL                  which user signs in with it: one user per address
 *   user               USER#<user>         USER
 *   membership         USER#<user>         org#<org>             what a session may do in the organization
 *   member             MEMBERS#<org>       <user id>             the same, for the organization's list
 *   member count       MEMBERS#<org>       COUNT                 with the number of owners
 *   sign-in link       SIGNIN#<hash>       SIGNIN                by its token
 *   session            SESS#<hash>         SESS                  by its cookie; found, extended and counted at once
 *   session of a user  USER#<user>         sess#<hash>           to end all of a user's sessions
 *   passkey            USER#<user>         passkey#<hash>
 *   its owner          PASSKEY#<hash>      PASSKEY               by its id: one user per passkey
 *   its challenge      CHALLENGE#<hash>    CHALLENGE             used once
 *   platform role      PLATFORM            admin#<user>
 *   platform audit     ACTS                <entry id>            few, as people make them: one partition
 *   call totals        ORG#<org>           health#<connection>   for lists and routing; `#2` for a second of that id
 *   usage              ORG#<org>           usage                 what its plan limits by the month
 *   day totals         STAT#<org>          <day>#<currency>#<connection>   of the payments created then
 *   payment link       LINK#<id>           LINK                  its page knows no organization
 *   subscription       SUB#<id>            SUB
 *   invoice            INV#<id>            INV                   one partition an invoice, as for payments
 *   workflows          WORK#<org>          <kind>#<id>           integrations, templates, rules; `head` counts changes
 *   template version   WORKV#<org>#<id>    <version>             executions continue with the version they began with
 *   execution          EXEC#<id>           EXEC                  one partition an execution
 *   pending start      OWED#<event id>     OWED                  an execution still to be started; due until it is
 *   event              EVT#<org>#<shard>   <event id>            listed without an index
 *   sweep hand-out     SWEEP#<due shard>   <time>#<first entry>  what a sweep of a large backlog has just sent on
 */
export const keys = {
  payment: (id: string, bits = randomBits(id)): Key => ({ pk: `PAY#${bits}`, sk: 'PAY' }),
  createResponse: (paymentId: string): Key => ({ pk: `PAY#${randomBits(paymentId)}`, sk: 'ANSWER' }),
  secondaryCharge: (paymentId: string, attemptId: string): Key => ({
    pk: `PAY#${randomBits(paymentId)}`,
    sk: `CHARGE#${attemptId}`,
  }),
  claim: (seed: string): Key => {
    const id = operationId({ seed, at: new Date(0), resumed: false }, 'payment');
    return keys.payment(id, randomBits(id));
  },
  apiKey: (hash: string): Key => ({ pk: `KEY#${hash}`, sk: 'KEY' }),
  address: (hash: string): Key => ({ pk: `ADDR#${hash}`, sk: 'ADDR' }),
  organization: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'org' }),
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
  webhookConfig: (orgId: string): Key => ({ pk: `RECV#${orgId}`, sk: 'RECV' }),
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
  session: (hash: string): Key => ({ pk: `SESS#${hash}`, sk: 'SESS' }),
  userSession: (userId: string, hash: string): Key => ({ pk: `USER#${userId}`, sk: `sess#${hash}` }),
  passkeyOfUser: (userId: string, hash: string): Key => ({ pk: `USER#${userId}`, sk: `passkey#${hash}` }),
  passkey: (hash: string): Key => ({ pk: `PASSKEY#${hash}`, sk: 'PASSKEY' }),
  passkeyChallenge: (hash: string): Key => ({ pk: `CHALLENGE#${hash}`, sk: 'CHALLENGE' }),
  platformAdmin: (userId: string): Key => ({ pk: 'PLATFORM', sk: `admin#${userId}` }),
  platformAuditEntry: (id: string): Key => ({ pk: 'ACTS', sk: id }),
  callTotals: (orgId: string, connectionId: string, generation?: string): Key => ({
    pk: `ORG#${orgId}`,
    sk: generation === undefined ? `health#${connectionId}` : `health#${connectionId}#${generation}`,
  }),
  usage: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'usage' }),
  dayTotals: (orgId: string, day: string, currency: string, connectionId: string | null): Key => ({
    pk: statPartition(orgId),
    sk: `${day}#${currency}#${connectionId ?? ''}`,
  }),
  paymentLink: (id: string): Key => ({ pk: `${LINK_PREFIX}${id}`, sk: 'LINK' }),
  subscription: (id: string): Key => ({ pk: `${SUBSCRIPTION_PREFIX}${id}`, sk: 'SUB' }),
  invoice: (id: string): Key => ({ pk: `${INVOICE_PREFIX}${id}`, sk: 'INV' }),
  workflowHead: (orgId: string): Key => ({ pk: workflowPartition(orgId), sk: 'head' }),
  workflow: (orgId: string, kind: string, id: string): Key => ({ pk: workflowPartition(orgId), sk: `${kind}#${id}` }),
  templateVersion: (orgId: string, id: string, version: number): Key => ({
    pk: `WORKV#${orgId}#${id}`,
    sk: String(version).padStart(10, '0'),
  }),
  execution: (id: string): Key => ({ pk: `${EXECUTION_PREFIX}${id}`, sk: 'EXEC' }),
  pendingStart: (eventId: string): Key => ({ pk: `${OWED_START_PREFIX}${eventId}`, sk: 'OWED' }),
  event: (orgId: string, id: string): Key => ({ pk: eventPartition(orgId, shardOf(id, EVENT_SHARDS)), sk: id }),
  handOut: (dueShard: string, at: Date, first: string): Key => ({
    pk: sweepPartition(dueShard),
    sk: `${at.toISOString()}#${first}`,
  }),
};

/**
 * A partition takes 1,000 writes a second, so an organization's lists are spread over this many shards, for each
 * connection or in total.
 */
export const LIST_SHARDS = 4;
export const EVENT_SHARDS = 4;
export const DUE_SHARDS = 4;

const LINK_PREFIX = 'LINK#';
const SUBSCRIPTION_PREFIX = 'SUB#';
const INVOICE_PREFIX = 'INV#';
const EXECUTION_PREFIX = 'EXEC#';
const OWED_START_PREFIX = 'OWED#';
export const STAT_PREFIX = 'STAT#';
const TEST_PREFIX = 'TEST#';
export const testPartition = (orgId: string): string => TEST_PREFIX + orgId;
export const statPartition = (orgId: string): string => STAT_PREFIX + orgId;
export const workflowPartition = (orgId: string): string => `WORK#${orgId}`;
export const eventPartition = (orgId: string, shard: number): string => `EVT#${orgId}#${shard}`;
export const sweepPartition = (dueShard: string): string => `SWEEP#${dueShard}`;
export const shards = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

/** No connection can have this name. */
const NO_CONNECTION = '@none';

/**
 * The partitions of the indexes, by index: `list` and `status` are newest first, `customer` is by customer, `lookup` by
 * whatever else a record is found by. Neither an organization's id nor a provider begins with an @, so these prefixes
 * cannot come from a client's text. Customer and plan ids are such texts, with any character; each comes last, or
 * before a shard, which is the last digit.
 */
export const indexKeys = {
  payments: (orgId: string, connectionId: string | null, shard: number): string =>
    `${orgId}#${connectionId ?? NO_CONNECTION}#${shard}`,
  paymentsByStatus: (orgId: string, status: string, shard: number): string => `${orgId}#${status}#${shard}`,
  paymentsOfCustomer: (orgId: string, customerId: string): string => `${orgId}#${customerId}`,
  pspReference: (provider: string, reference: string): string => `${provider}#${reference}`,
  links: (orgId: string): string => `${orgId}#@links`,
  linksByStatus: (orgId: string, status: string): string => `${orgId}#@links#${status}`,
  /** Active links that expire, by when: an expired link is found before a sweep records that it has. */
  linksByExpiry: (orgId: string): string => `${orgId}#@links#@ending`,
  organizations: (shard: number): string => `@organizations#${shard}`,
  organizationsByKyc: (kyc: string, shard: number): string => `@organizations#${kyc}#${shard}`,
  subscriptions: (orgId: string, shard: number): string => `@sub#${orgId}#${shard}`,
  subscriptionsByStatus: (orgId: string, status: string, shard: number): string => `@sub#${orgId}#${status}#${shard}`,
  subscriptionsOfCustomer: (orgId: string, customerId: string): string => `@sub#${orgId}#${customerId}`,
  /** Sharded, as a plan may have most of the subscriptions. */
  subscriptionsOfPlan: (orgId: string, planId: string, shard: number): string => `@sub#${orgId}#${planId}#${shard}`,
  invoices: (orgId: string, shard: number): string => `@inv#${orgId}#${shard}`,
  invoicesByStatus: (orgId: string, status: string, shard: number): string => `@inv#${orgId}#${status}#${shard}`,
  invoicesOfCustomer: (orgId: string, customerId: string): string => `@inv#${orgId}#${customerId}`,
  invoicesOfSubscription: (orgId: string, subscriptionId: string): string => `@inv#${orgId}#${subscriptionId}`,
  /** Failed events only, while they are failed. */
  failedEvents: (orgId: string, shard: number): string => `@evt#${orgId}#failed#${shard}`,
  executions: (orgId: string, shard: number): string => `@exec#${orgId}#${shard}`,
  executionsByStatus: (orgId: string, status: string, shard: number): string => `@exec#${orgId}#${status}#${shard}`,
  executionsOfTemplate: (orgId: string, templateId: string, shard: number): string =>
    `@exec#${orgId}#${templateId}#${shard}`,
  due: (id: string, shard = shardOf(id, DUE_SHARDS)): string => `DUE#${shard}`,
};

/**
 * The entry of due work: `<time>#<id>`, or `<time>#<id>#<organization>` where the item's own key does not name the
 * organization.
 */
export const dueEntry = (at: string | undefined, id: string, orgId?: string, shard?: number): Record<string, string> =>
  at === undefined
    ? {}
    : { due_pk: indexKeys.due(id, shard), due_sk: [at, id, ...(orgId === undefined ? [] : [orgId])].join('#') };

/** Parts of a partition that are read as a whole. */
export const ranges = {
  /** Everything that routing reads: the keys there begin with a lower-case letter. */
  routingData: (orgId: string) => ({ pk: `ORG#${orgId}`, range: { between: ['a', 'z'] } }) as const,
  workflowRules: (orgId: string) =>
    ({ pk: workflowPartition(orgId), range: { between: ['rule#', 'rule#~'] } }) as const,
  apiKeys: (orgId: string) => ({ pk: keys.listedApiKey(orgId, '').pk }),
  members: (orgId: string) => ({ pk: keys.member(orgId, '').pk, range: { prefix: `${ID_PREFIX.user}_` } }),
  memberships: (userId: string) => ({ pk: keys.user(userId).pk, range: { prefix: keys.membership('', '').sk } }),
  userSessions: (userId: string) => ({ pk: keys.user(userId).pk, range: { prefix: keys.userSession('', '').sk } }),
  passkeysOfUser: (userId: string) => ({ pk: keys.user(userId).pk, range: { prefix: keys.passkeyOfUser('', '').sk } }),
  platformAdmins: () => ({ pk: keys.platformAdmin('').pk, range: { prefix: keys.platformAdmin('').sk } }),
  retryPolicies: (orgId: string) => ({ pk: keys.retryPolicy(orgId, '').pk }),
};

/** The kinds of due work, by the prefix of their partitions; payments have any other. */
export const dueKinds: readonly {
  readonly prefix: string;
  readonly kind: DueEntry['kind'];
  /** The partition key names the organization, and the entry does not. */
  readonly orgInKey?: boolean;
}[] = [
  { prefix: 'EVT#', kind: 'event', orgInKey: true },
  { prefix: 'ORG#', kind: 'connection', orgInKey: true },
  { prefix: TEST_PREFIX, kind: 'ab_test', orgInKey: true },
  { prefix: LINK_PREFIX, kind: 'payment_link' },
  { prefix: SUBSCRIPTION_PREFIX, kind: 'subscription' },
  { prefix: INVOICE_PREFIX, kind: 'invoice' },
  { prefix: EXECUTION_PREFIX, kind: 'execution' },
  { prefix: OWED_START_PREFIX, kind: 'owed_start' },
];

export const dueShards: readonly string[] = shards(DUE_SHARDS).map((n) => `DUE#${n}`);
