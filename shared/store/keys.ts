import { randomBits, shardOf } from '#shared/kernel/ids.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Key } from '#shared/ports/table.port.ts';

/**
 *   item             pk                    sk            why there
 *   payment          PAY#<random bits>     PAY           one partition a payment: no organization is a hot key
 *   its answer       PAY#<random bits>     ANSWER        what the create request was answered, once the payment changed
 * charge beside PAY#<random bits> CHARGE#<attempt> a charge that is refunded while the payment goes by another; found
 * by its reference
 * claim PAY#<random bits> PAY where the payment of the same idempotency key would be: one key, one request
 *   API key          KEY#<hash>            KEY           found and counted by one update
 *   address          ADDR#<hash>           ADDR          windows of requests without a key of their own
 *   organization     ORG#<org>             org           what routing needs lies in one query: from `a` to `z`
 *   connection       ORG#<org>             conn#<id>
 *   its audit        AUDIT#<org>#<id>      <number>      as many as there ever were: not where routing reads
 *   fraud policy     ORG#<org>             pol#fraud
 *   retry policy     RETRY#<org>           plan#<plan>   the organization's own has no plan
 *   velocity         VEL#<hash>            VEL           payments that passed a rule, by what they have in common
 *   retry budget     BUDGET#<hash>         BUDGET        declined attempts with one token
 *   routing rule     ORG#<org>             rule#<id>
 *   running tests    ORG#<org>             running_tests   all in one item: of two that overlap one starts
 *   A/B test         TEST#<org>            <test id>
 *   its results      TEST#<org>            <test id>#<variant>   added up by the projector
 *   key directory    ORGKEYS#<org>         <key id>      for lists and revocation
 *   receiver         RECV#<org>            RECV
 *   its audit        AUDIT#<org>           <number>
 *   owner            OWNER#<hash>          OWNER         whose a bootstrapped organization is, found by the address
 *   address of user  MAIL#<hash>           MAIL          which user signs in with it: nobody twice
 *   user             USER#<user>           USER
 *   membership       USER#<user>           org#<org>     what a session may do there
 * the same MEMBERS#<org> <user id> for the organization's list; `COUNT` counts them, and those who own it
 *   sign-in link     SIGNIN#<hash>         SIGNIN        by its token
 *   session          SESS#<hash>           SESS          by its cookie; found, kept awake and counted by one update
 *   that it exists   USER#<user>           sess#<hash>   to end all of a user's at once
 *   passkey          USER#<user>           passkey#<hash>
 *   its owner        PASSKEY#<hash>        PASSKEY       whose it is, by its id: nobody's twice
 *   its challenge    CHALLENGE#<hash>      CHALLENGE     what is signed to make one, or to sign in: once
 *   platform role    PLATFORM              admin#<user>
 *   platform act     ACTS                  <act id>      few, as people make them: all in one partition, newest last
 * calls ORG#<org> health#<connection id> how a connection's calls go, for lists and routing; of a second one of that id
 * with `#2`
 *   usage            ORG#<org>             usage         what its plan limits by the month, for whoever makes a payment
 *   day              STAT#<org>            <day>#<currency>#<connection id>   totals of the payments created then
 *   payment link     LINK#<link id>        LINK          its page knows no organization
 *   subscription     SUB#<id>              SUB
 *   invoice          INV#<id>              INV           one partition an invoice, as for payments
 *   workflows        WORK#<org>            <kind>#<id>   integrations, templates and rules; `head` counts their changes
 *   template         WORKV#<org>#<id>      <version>     as it was in that version: what runs goes on by it
 *   execution        EXEC#<id>             EXEC          one partition a run
 *   owed start       OWED#<event id>       OWED          what could not be begun for an event; due until it is
 *   event            EVT#<org>#<shard>     <event id>    listed without an index
 * hand-out SWEEP#<due shard> <time>#<its first entry> what a sweep of a large backlog has just sent to the queues
 */
export const keys = {
  payment: (id: string): Key => ({ pk: `PAY#${randomBits(id)}`, sk: 'PAY' }),
  answer: (paymentId: string): Key => ({ pk: `PAY#${randomBits(paymentId)}`, sk: 'ANSWER' }),
  chargeBeside: (paymentId: string, attemptId: string): Key => ({
    pk: `PAY#${randomBits(paymentId)}`,
    sk: `CHARGE#${attemptId}`,
  }),
  claim: (seed: string): Key => keys.payment(operationId({ seed, at: new Date(0), resumed: false }, 'payment')),
  apiKey: (hash: string): Key => ({ pk: `KEY#${hash}`, sk: 'KEY' }),
  address: (hash: string): Key => ({ pk: `ADDR#${hash}`, sk: 'ADDR' }),
  organization: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'org' }),
  connection: (orgId: string, id: string): Key => ({ pk: `ORG#${orgId}`, sk: `conn#${id}` }),
  connectionAudit: (orgId: string, id: string, number: number): Key => ({
    pk: `AUDIT#${orgId}#${id}`,
    sk: String(number).padStart(10, '0'),
  }),
  policy: (orgId: string, kind: string): Key => ({ pk: `ORG#${orgId}`, sk: `pol#${kind}` }),
  retryPolicy: (orgId: string, planId: string): Key => ({ pk: `RETRY#${orgId}`, sk: `plan#${planId}` }),
  velocity: (hash: string): Key => ({ pk: `VEL#${hash}`, sk: 'VEL' }),
  retryBudget: (hash: string): Key => ({ pk: `BUDGET#${hash}`, sk: 'BUDGET' }),
  routingRule: (orgId: string, id: string): Key => ({ pk: `ORG#${orgId}`, sk: `rule#${id}` }),
  runningTests: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'running_tests' }),
  abTest: (orgId: string, id: string): Key => ({ pk: testPartition(orgId), sk: id }),
  abResult: (orgId: string, testId: string, variant: string): Key => ({
    pk: testPartition(orgId),
    sk: `${testId}#${variant}`,
  }),
  keyEntry: (orgId: string, id: string): Key => ({ pk: `ORGKEYS#${orgId}`, sk: id }),
  receiver: (orgId: string): Key => ({ pk: `RECV#${orgId}`, sk: 'RECV' }),
  receiverAudit: (orgId: string, number: number): Key => ({
    pk: `AUDIT#${orgId}`,
    sk: String(number).padStart(10, '0'),
  }),
  owner: (hash: string): Key => ({ pk: `OWNER#${hash}`, sk: 'OWNER' }),
  mailAddress: (hash: string): Key => ({ pk: `MAIL#${hash}`, sk: 'MAIL' }),
  user: (id: string): Key => ({ pk: `USER#${id}`, sk: 'USER' }),
  membership: (userId: string, orgId: string): Key => ({ pk: `USER#${userId}`, sk: `org#${orgId}` }),
  member: (orgId: string, userId: string): Key => ({ pk: `MEMBERS#${orgId}`, sk: userId }),
  headCount: (orgId: string): Key => ({ pk: `MEMBERS#${orgId}`, sk: 'COUNT' }),
  signInLink: (hash: string): Key => ({ pk: `SIGNIN#${hash}`, sk: 'SIGNIN' }),
  session: (hash: string): Key => ({ pk: `SESS#${hash}`, sk: 'SESS' }),
  userSession: (userId: string, hash: string): Key => ({ pk: `USER#${userId}`, sk: `sess#${hash}` }),
  passkeyOfUser: (userId: string, hash: string): Key => ({ pk: `USER#${userId}`, sk: `passkey#${hash}` }),
  passkey: (hash: string): Key => ({ pk: `PASSKEY#${hash}`, sk: 'PASSKEY' }),
  passkeyChallenge: (hash: string): Key => ({ pk: `CHALLENGE#${hash}`, sk: 'CHALLENGE' }),
  platformAdmin: (userId: string): Key => ({ pk: 'PLATFORM', sk: `admin#${userId}` }),
  platformAct: (id: string): Key => ({ pk: 'ACTS', sk: id }),
  calls: (orgId: string, connectionId: string, generation?: string): Key => ({
    pk: `ORG#${orgId}`,
    sk: generation === undefined ? `health#${connectionId}` : `health#${connectionId}#${generation}`,
  }),
  usage: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'usage' }),
  day: (orgId: string, day: string, currency: string, connectionId: string | null): Key => ({
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
  owedStart: (eventId: string): Key => ({ pk: `${OWED_START_PREFIX}${eventId}`, sk: 'OWED' }),
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
const DUE_SHARDS = 4;

export const LINK_PREFIX = 'LINK#';
export const SUBSCRIPTION_PREFIX = 'SUB#';
export const INVOICE_PREFIX = 'INV#';
export const EXECUTION_PREFIX = 'EXEC#';
export const OWED_START_PREFIX = 'OWED#';
export const STAT_PREFIX = 'STAT#';
export const TEST_PREFIX = 'TEST#';
export const testPartition = (orgId: string): string => TEST_PREFIX + orgId;
export const statPartition = (orgId: string): string => STAT_PREFIX + orgId;
export const workflowPartition = (orgId: string): string => `WORK#${orgId}`;
export const eventPartition = (orgId: string, shard: number): string => `EVT#${orgId}#${shard}`;
export const sweepPartition = (dueShard: string): string => `SWEEP#${dueShard}`;
export const shards = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

/** No connection can have this name. */
const NO_CONNECTION = '@none';

export const indexKeys = {
  list: (orgId: string, connectionId: string | null, shard: number): string =>
    `${orgId}#${connectionId ?? NO_CONNECTION}#${shard}`,
  status: (orgId: string, status: string, shard: number): string => `${orgId}#${status}#${shard}`,
  customer: (orgId: string, customerId: string): string => `${orgId}#${customerId}`,
  reference: (provider: string, reference: string): string => `${provider}#${reference}`,
  /** No connection can have this name. */
  links: (orgId: string): string => `${orgId}#@links`,
  linksBy: (orgId: string, status: string): string => `${orgId}#@links#${status}`,
  /**
   * Of links that are active only those that end by themselves, by when: what has ended is found before a sweep tells
   * of it.
   */
  linksEnding: (orgId: string): string => `${orgId}#@links#@ending`,
  organizations: (shard: number): string => `@organizations#${shard}`,
  organizationsBy: (kyc: string, shard: number): string => `@organizations#${kyc}#${shard}`,
  /**
   * Neither an organization's id nor a provider begins with an @, so these prefixes can't come from a client's text.
   * Customer and plan ids are such texts, with any character; each comes last, or before a shard, which is the last
   * digit.
   */
  subscriptions: (orgId: string, shard: number): string => `@sub#${orgId}#${shard}`,
  subscriptionsBy: (orgId: string, status: string, shard: number): string => `@sub#${orgId}#${status}#${shard}`,
  subscriptionsOfCustomer: (orgId: string, customerId: string): string => `@sub#${orgId}#${customerId}`,
  /** Sharded, as a plan may have most of the subscriptions. */
  subscriptionsOfPlan: (orgId: string, planId: string, shard: number): string => `@sub#${orgId}#${planId}#${shard}`,
  invoices: (orgId: string, shard: number): string => `@inv#${orgId}#${shard}`,
  invoicesBy: (orgId: string, status: string, shard: number): string => `@inv#${orgId}#${status}#${shard}`,
  invoicesOfCustomer: (orgId: string, customerId: string): string => `@inv#${orgId}#${customerId}`,
  invoicesOf: (orgId: string, subscriptionId: string): string => `@inv#${orgId}#${subscriptionId}`,
  /** Failed events only, while they are failed. */
  failedEvents: (orgId: string, shard: number): string => `@evt#${orgId}#failed#${shard}`,
  executions: (orgId: string, shard: number): string => `@exec#${orgId}#${shard}`,
  executionsBy: (orgId: string, status: string, shard: number): string => `@exec#${orgId}#${status}#${shard}`,
  executionsOf: (orgId: string, templateId: string, shard: number): string => `@exec#${orgId}#${templateId}#${shard}`,
  due: (id: string): string => `DUE#${shardOf(id, DUE_SHARDS)}`,
};

export const dueShards: readonly string[] = shards(DUE_SHARDS).map((n) => `DUE#${n}`);
