import { LIST_SHARD_COUNTS } from '#shared/domain/accounts/capacity.rules.ts';
import { MAX_ROUTING_COPIES } from '#shared/domain/accounts/organization.rules.ts';
import { DEFAULT_RATE, rateShards } from '#shared/domain/accounts/rate-limits.rules.ts';
import type { agentIndexKeys, agentKeys } from '#shared/store/agent-keys.ts';
import { DUE_SHARDS, type indexKeys, type keys } from '#shared/store/keys.ts';
import type { filedRefundKeys } from '#shared/store/repos/payments/payment-index.ts';
import type { paymentMailKeys } from '#shared/store/repos/payments/payment-mail.repo.ts';
import type { failedRequestKeys } from '#shared/store/repos/reporting/failure-log.repo.ts';
import type { reviewIndexKeys, reviewKeys } from '#shared/store/review-keys.ts';
import type { KindLoad } from '#test/bench/payment-load.ts';

/** Over how many partitions a tenant's records are spread. */
export type TenantSize = { readonly lists: number; readonly copies: number; readonly counters: number };

/** A tenant as it begins, and one that the platform has given all that it can give. */
export const USUAL_TENANT: TenantSize = { lists: 4, copies: 1, counters: 1 };
export const LARGE_TENANT: TenantSize = {
  lists: LIST_SHARD_COUNTS.at(-1) ?? 0,
  copies: MAX_ROUTING_COPIES,
  counters: rateShards({ ...DEFAULT_RATE, payments: 5_000 * 60 }),
};

/**
 * Who shares a partition. `one`: a single payment, user, page … , so that no number of tenants or payments heats it.
 * `tenant`: all payments of an organization. `stage`: all organizations.
 */
type Owner = 'one' | 'tenant' | 'stage';

type Family = {
  readonly owner: Owner;
  /** Over how many partitions its owner's load is spread evenly. Missing: as it was counted. */
  readonly partitions?: (size: TenantSize) => number;
  /** Why payments do not touch it, if its owner has more than one of them. */
  readonly because?: string;
};

const ONE: Family = { owner: 'one' };
const SETUP = 'changes with the setup, or with a person at work';

/**
 * Every key of the table. A new key does not compile without a line here, and fails a test. What payments touch is
 * counted, and must be in a family that says how it is spread.
 */
export const TABLE_FAMILIES: Readonly<
  Record<
    | keyof typeof keys
    | keyof typeof reviewKeys
    | keyof typeof agentKeys
    | keyof typeof failedRequestKeys
    | keyof typeof paymentMailKeys
    | keyof typeof filedRefundKeys,
    Family
  >
> = {
  payment: ONE,
  createResponse: ONE,
  secondaryCharge: ONE,
  refundPage: ONE,
  review: ONE,
  agentLimits: { owner: 'tenant', because: SETUP },
  agentRequest: ONE,
  agentSpending: { owner: 'one', because: 'one API key of an agent, in one currency' },
  claim: ONE,
  claimPart: ONE,
  apiKey: { owner: 'tenant', partitions: ({ counters }) => counters },
  address: { owner: 'one', because: 'one IP address' },
  organization: { owner: 'tenant', because: SETUP },
  routingSnapshot: { owner: 'tenant', partitions: ({ copies }) => copies },
  connection: { owner: 'tenant', partitions: () => 1 },
  connectionAudit: { owner: 'tenant', because: SETUP },
  fraudPolicy: { owner: 'tenant', because: SETUP },
  retryPolicy: { owner: 'tenant', because: SETUP },
  velocity: ONE,
  retryBudget: ONE,
  routingRule: { owner: 'tenant', because: SETUP },
  runningAbTests: { owner: 'tenant', because: SETUP },
  abTest: { owner: 'tenant', because: SETUP },
  abTestTotals: { owner: 'tenant' },
  listedApiKey: { owner: 'tenant', because: SETUP },
  revokedApiKey: { owner: 'tenant', because: SETUP },
  webhookConfig: { owner: 'tenant', because: 'read once in two seconds by each process that delivers' },
  bulkReplay: { owner: 'tenant', because: SETUP },
  webhookConfigAudit: { owner: 'tenant', because: SETUP },
  owner: ONE,
  mailAddress: ONE,
  user: ONE,
  membership: ONE,
  paymentMail: ONE,
  filedRefund: ONE,
  paymentMethod: ONE,
  customer: ONE,
  erasure: ONE,
  member: { owner: 'tenant', because: SETUP },
  memberCount: { owner: 'tenant', because: SETUP },
  signInLink: ONE,
  undoLink: ONE,
  session: ONE,
  userSession: ONE,
  passkeyOfUser: ONE,
  passkey: ONE,
  passkeyChallenge: ONE,
  platformAdmin: { owner: 'stage', because: 'few people' },
  recovery: { owner: 'stage', because: 'few people' },
  platformAuditEntry: { owner: 'stage', because: 'few people' },
  organizationAuditEntry: { owner: 'tenant', because: SETUP },
  callTotals: { owner: 'tenant' },
  foreignEvents: { owner: 'tenant', because: 'written for callbacks about charges that are not ours' },
  usage: { owner: 'tenant' },
  totalLane: { owner: 'tenant' },
  routingSummary: { owner: 'tenant' },
  olderCallTotals: { owner: 'tenant', because: 'of earlier releases' },
  olderUsage: { owner: 'tenant', because: 'of earlier releases' },
  heldTotals: { owner: 'one', because: 'only where a total cannot be written' },
  dayTotals: { owner: 'tenant' },
  paymentLink: { owner: 'one', because: 'the payments of one link' },
  subscription: ONE,
  invoice: ONE,
  dispute: ONE,
  disputePoll: { owner: 'tenant', because: 'once an hour for each connection' },
  workflowHead: { owner: 'tenant', because: 'only of tenants with workflows' },
  workflow: { owner: 'tenant', because: 'only of tenants with workflows' },
  templateVersion: { owner: 'tenant', because: 'only of tenants with workflows' },
  execution: ONE,
  pendingStart: ONE,
  event: { owner: 'tenant', partitions: ({ lists }) => lists },
  failedRequest: { owner: 'tenant', because: 'at most 25 a minute, and none of a request that succeeds' },
  failedRequestCount: { owner: 'tenant', because: 'likewise, and once a minute more by each process' },
  selfCheck: { owner: 'stage', because: 'read by GET /health, once in five seconds by each process' },
  sweepPage: { owner: 'stage', because: 'written by a sweep of a large backlog, a page for a thousand entries' },
};

/** The same for the partitions of the indexes. */
export const INDEX_FAMILIES: Readonly<
  Record<keyof typeof indexKeys | keyof typeof reviewIndexKeys | keyof typeof agentIndexKeys, Family>
> = {
  payments: { owner: 'tenant', partitions: ({ lists }) => lists },
  paymentsByStatus: { owner: 'tenant', partitions: ({ lists }) => lists },
  paymentsOfCustomer: ONE,
  pspReference: ONE,
  reviews: { owner: 'tenant', because: 'few payments are ever reviewed' },
  agentApprovals: { owner: 'tenant', because: 'only what a person decides about' },
  agentsWaiting: { owner: 'tenant', because: 'only what a person decides about' },
  links: { owner: 'tenant', because: SETUP },
  linksByStatus: { owner: 'tenant', because: SETUP },
  linksOfCustomer: ONE,
  linksByExpiry: { owner: 'tenant', because: SETUP },
  organizations: { owner: 'stage', because: SETUP },
  organizationsByKyc: { owner: 'stage', because: SETUP },
  subscriptions: { owner: 'tenant', partitions: ({ lists }) => lists },
  subscriptionsByStatus: { owner: 'tenant', partitions: ({ lists }) => lists },
  subscriptionsOfCustomer: ONE,
  subscriptionsOfPlan: { owner: 'tenant', partitions: ({ lists }) => lists },
  disputes: { owner: 'tenant', because: 'few payments are disputed' },
  disputesByStatus: { owner: 'tenant', because: 'few payments are disputed' },
  disputesOfPayment: ONE,
  pspDispute: ONE,
  invoices: { owner: 'tenant', partitions: ({ lists }) => lists },
  invoicesByStatus: { owner: 'tenant', partitions: ({ lists }) => lists },
  invoicesOfCustomer: ONE,
  invoicesOfSubscription: ONE,
  failedEvents: { owner: 'tenant', partitions: ({ lists }) => lists },
  executions: { owner: 'tenant', partitions: ({ lists }) => lists },
  executionsByStatus: { owner: 'tenant', partitions: ({ lists }) => lists },
  executionsOfTemplate: { owner: 'tenant', partitions: ({ lists }) => lists },
  due: { owner: 'stage', partitions: () => DUE_SHARDS },
};

/** The families that a kind of partition, as payments are counted, belongs to. Families may share a partition. */
export const KINDS: Readonly<Record<string, readonly Family[]>> = {
  'table PAY': [TABLE_FAMILIES.payment],
  'table KEY': [TABLE_FAMILIES.apiKey],
  'table ROUTING': [TABLE_FAMILIES.routingSnapshot],
  'table ORG': [TABLE_FAMILIES.connection],
  'table STAT': [TABLE_FAMILIES.dayTotals, TABLE_FAMILIES.callTotals, TABLE_FAMILIES.usage, TABLE_FAMILIES.totalLane],
  'table EVT': [TABLE_FAMILIES.event],
  'table HELD': [TABLE_FAMILIES.heldTotals],
  'table RECV': [TABLE_FAMILIES.webhookConfig],
  'table WORK': [TABLE_FAMILIES.workflow],
  'list of an organization': [INDEX_FAMILIES.payments],
  'status of an organization': [INDEX_FAMILIES.paymentsByStatus],
  'customer of an organization': [INDEX_FAMILIES.paymentsOfCustomer],
  'lookup of a provider': [INDEX_FAMILIES.pspReference],
  'due DUE': [INDEX_FAMILIES.due],
};

/** What payments of a kind take from its hottest partition, as a share of what the kind takes in all. */
export function hottestShare({ name, hottest }: KindLoad, size: TenantSize): number {
  const families = KINDS[name];
  if (!families) throw new Error(`Payments use partitions of the kind ${name}. Add it to KINDS, with its spread.`);
  if (families.every(({ owner }) => owner === 'one')) return 0;
  const spread = families.map(({ partitions }) => partitions?.(size));
  return spread.every((n) => n !== undefined) ? 1 / Math.min(...spread) : hottest;
}

export const ownerOf = ({ name }: KindLoad): Owner => KINDS[name]?.[0]?.owner ?? 'stage';
