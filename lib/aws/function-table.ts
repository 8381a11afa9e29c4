import type { FunctionGroup } from '#functions/route-table.ts';
import type { SealingKey } from '#shared/adapters/vault/vault-by-purpose.adapter.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';

/** Whoever serves routes, takes a queue's messages or reads the stream. */
export type FunctionName = FunctionGroup | QueueName | 'relay' | 'projector';

/** What a function is given, and all that it may do. */
export type FunctionLine = {
  /** API Gateway gives up after 30 s; what serves it ends before. */
  readonly timeoutSeconds: number;
  /** CPU comes with memory: what a caller waits for has more of it. */
  readonly memoryMb: number;
  /**
   * Each includes the one before. Deleted are claims that are released, keys that are revoked, rules of routing, what
   * workflows are made of, sessions, passkeys, members and administrators; all else stays, or is marked.
   */
  readonly table: 'reads' | 'writes' | 'deletes';
  /** Which kinds of secrets it can unseal; each kind is sealed under a key of its own (ADR 8). */
  readonly secrets?: readonly SealingKey[];
  /** It makes sealed texts of those kinds too, instead of only opening them. */
  readonly seals?: boolean;
  readonly sendsTo?: readonly QueueName[];
  /** Of its queue's messages, how many it is handed at once, and works on side by side; ten where nothing is said. */
  readonly batchSize?: number;
  readonly publishes?: boolean;
  /** Its entry point then gives `onAws` a mailer: `{ makeMail: sesMail }`. */
  readonly mails?: boolean;
  /** Money or customers are waiting when it keeps failing or is throttled: then somebody is woken. */
  readonly urgent?: boolean;
};

const serving = { timeoutSeconds: 29, memoryMb: 1_024, table: 'deletes', seals: true } as const;
const working = { timeoutSeconds: 60, memoryMb: 512, table: 'writes' } as const;

/**
 * Every function that is deployed, each from `functions/<name>/<name>.lambda.ts`. A new group of routes or a new queue
 * does not compile without its line.
 */
export const FUNCTIONS: Readonly<Record<FunctionName, FunctionLine>> = {
  'api-keys': { ...serving, secrets: ['own'] },
  connections: { ...serving, secrets: ['psp'] },
  'routing-rules': { ...serving, seals: false },
  'ab-tests': { ...serving, seals: false },
  payments: { ...serving, secrets: ['psp'], urgent: true },
  'payment-links': { ...serving, seals: false },
  'hosted-pages': { ...serving, secrets: ['psp'], seals: false, urgent: true },
  subscriptions: { ...serving, secrets: ['psp'], sendsTo: ['renewals'] },
  invoices: { ...serving, secrets: ['psp'] },
  policies: { ...serving, seals: false },
  workflows: { ...serving, secrets: ['integration'], sendsTo: ['workflow-runs'] },
  webhooks: { ...serving, secrets: ['own'], sendsTo: ['webhook-delivery'], publishes: true },
  'psp-webhooks': { ...serving, table: 'writes', secrets: ['psp'], seals: false, urgent: true },
  auth: { ...serving, secrets: ['own'], mails: true },
  organizations: { ...serving, seals: false, mails: true },
  platform: { ...serving, seals: false },
  openapi: { timeoutSeconds: 10, memoryMb: 512, table: 'reads' },
  relay: { ...working, publishes: true },
  projector: working,
  'webhook-delivery': { ...working, secrets: ['own'], sendsTo: ['webhook-delivery', 'slow-deliveries'] },
  // The slow one also mails those whose receiver was turned off: a mailer's client would only make the other begin more
  // slowly.
  'slow-deliveries': {
    ...working,
    secrets: ['own'],
    sendsTo: ['webhook-delivery', 'slow-deliveries'],
    mails: true,
    batchSize: 50,
  },
  // A large sweep sends ten thousand batches within its 40 s, a millisecond or so of a whole core each.
  timers: {
    ...working,
    memoryMb: 1_024,
    secrets: ['psp'],
    sendsTo: ['timers', 'webhook-delivery', 'renewals', 'workflow-runs'],
    publishes: true,
    urgent: true,
  },
  // Five charges at once mostly wait, and no longer than the slowest of them; what ends one process must not bring back
  // more.
  renewals: {
    ...working,
    memoryMb: 1_024,
    secrets: ['psp'],
    seals: true,
    sendsTo: ['renewals'],
    publishes: true,
    batchSize: 5,
  },
  // Its steps do what the API does: they wait for providers and for organizations' own servers, five executions side by
  // side.
  'workflow-runs': {
    ...working,
    memoryMb: 1_024,
    secrets: ['psp', 'integration'],
    sendsTo: ['workflow-runs'],
    mails: true,
    batchSize: 5,
  },
};

/** Runs what the schedules call for. */
export const SCHEDULED = 'timers' satisfies FunctionName;

/** Answers what no route knows: the one that can do the least. */
export const DEFAULT_GROUP = 'openapi' satisfies FunctionGroup;
