import type { FunctionGroup } from '#functions/route-table.ts';
import type { MacSecretName } from '#shared/ports/deps.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';
import type { SealedKind } from '#shared/ports/vault.port.ts';

/** Every function: it serves routes, consumes a queue, reads the stream, or is the probe. */
export type FunctionName = FunctionGroup | QueueName | 'relay' | 'projector' | 'probe';

/**
 * A function's resources and rights, but for those on the table: see `table-rights.ts`. A test compares them with the
 * clients in its bundle (ADR 37), and the local host denies what is not listed.
 */
export type FunctionSettings = {
  /** API Gateway times out after 30 s, so a function that serves it ends before. */
  readonly timeoutSeconds: number;
  /** CPU grows with memory: functions that a caller waits for have more of it. */
  readonly memoryMb: number;
  /** The kinds of secrets that the function can open (ADR 8). */
  readonly secrets?: readonly SealedKind[];
  /** The kinds that it can seal. Most functions that seal something also open it. */
  readonly seals?: readonly SealedKind[];
  /** The secrets of hashes that it uses. Each comes from a KMS key of its own (ADR 7). */
  readonly macs: readonly MacSecretName[];
  readonly sendsTo?: readonly QueueName[];
  /** Messages per batch, which are processed side by side. Default: ten. */
  readonly batchSize?: number;
  readonly publishes?: boolean;
  /** Whether it sends mail. Its entry point then has the part `mail`. */
  readonly mails?: boolean;
  /**
   * Whether its errors page somebody: money or customers wait for it, and no other alarm would notice. The API's
   * functions are watched by the API's own alarm, and the callbacks' by that of the function URL.
   */
  readonly urgent?: boolean;
  /** Whether it is told which build it is of. Then each build changes it. */
  readonly tellsVersion?: boolean;
};

/** It counts requests and claims idempotency keys. */
const FINDS = ['hashSecret'] as const;
/** It also makes or checks tokens that outsiders hold: whatever charges sends return addresses to providers. */
const CHARGES = ['hashSecret', 'tokenSecret'] as const;

const apiFunction = { timeoutSeconds: 29, memoryMb: 1_024, macs: FINDS } as const;
/**
 * They mostly wait for a provider or the table, and waiting costs by memory. Three tenths of a processor are enough for
 * the few milliseconds that a payment computes (docs/cost.md).
 */
const WAITING = { memoryMb: 512 } as const;
const backgroundFunction = { timeoutSeconds: 60, memoryMb: 512, macs: [] } as const;

/**
 * Every deployed function, from `functions/<name>/<name>.lambda.ts`. A new route group or queue does not compile
 * without a line here.
 */
export const FUNCTIONS: Readonly<Record<FunctionName, FunctionSettings>> = {
  'api-keys': { ...apiFunction, secrets: ['answer'], seals: ['answer'] },
  agents: { ...apiFunction, ...WAITING },
  connections: { ...apiFunction, secrets: ['psp'], seals: ['psp'] },
  'routing-rules': { ...apiFunction },
  'routing-simulator': { ...apiFunction },
  'ab-tests': { ...apiFunction },
  payments: { ...apiFunction, ...WAITING, secrets: ['psp'], seals: ['psp'], macs: CHARGES },
  'payment-actions': { ...apiFunction, ...WAITING, secrets: ['psp'], seals: ['psp'], macs: CHARGES },
  'payment-stats': { ...apiFunction, ...WAITING },
  attention: { ...apiFunction, ...WAITING },
  'payment-timeline': { ...apiFunction, ...WAITING },
  search: { ...apiFunction, ...WAITING },
  disputes: { ...apiFunction, ...WAITING, secrets: ['psp'] },
  // Its tokens are sealed for the functions that charge.
  'payment-methods': { ...apiFunction, ...WAITING, secrets: ['psp'], seals: ['psp'] },
  customers: { ...apiFunction },
  // What their payments pass on is sealed for the pages, which alone open it.
  'payment-links': { ...apiFunction, seals: ['psp'] },
  'hosted-pages': { ...apiFunction, secrets: ['psp'], seals: ['psp'], macs: CHARGES },
  subscriptions: { ...apiFunction, secrets: ['psp'], seals: ['psp'], macs: CHARGES, sendsTo: ['renewals'] },
  'subscription-stats': { ...apiFunction, ...WAITING },
  invoices: { ...apiFunction, secrets: ['psp'], seals: ['psp'], macs: CHARGES },
  policies: { ...apiFunction },
  workflows: { ...apiFunction, secrets: ['integration'], seals: ['integration'], sendsTo: ['workflow-runs'] },
  webhooks: {
    ...apiFunction,
    secrets: ['signing', 'answer'],
    seals: ['signing', 'answer'],
    sendsTo: ['webhook-delivery'],
    publishes: true,
  },
  'psp-webhooks': { ...apiFunction, ...WAITING, secrets: ['psp'], seals: ['psp'], macs: CHARGES },
  auth: { ...apiFunction, secrets: ['totp'], seals: ['totp'], macs: ['hashSecret', 'recoverySecret'], mails: true },
  organizations: { ...apiFunction, mails: true },
  platform: { ...apiFunction, mails: true },
  // It checks the signature of the probe's events with a secret that only the probe's key may ask for.
  health: { timeoutSeconds: 29, memoryMb: 256, tellsVersion: true, macs: FINDS },
  openapi: { timeoutSeconds: 10, memoryMb: 512, macs: [] },
  // It waits for the API, whose functions answer within 29 s.
  mcp: { timeoutSeconds: 29, memoryMb: 512, macs: [] },
  dashboard: { timeoutSeconds: 10, memoryMb: 512, macs: [] },
  reference: { timeoutSeconds: 10, memoryMb: 512, macs: [] },
  // It mostly waits. What it does, it does as a client: its own key derives from the hash secret.
  probe: { ...backgroundFunction, memoryMb: 128, macs: FINDS },
  relay: { ...backgroundFunction, publishes: true },
  projector: backgroundFunction,
  'webhook-delivery': { ...backgroundFunction, secrets: ['signing'], sendsTo: ['webhook-delivery', 'slow-deliveries'] },
  // This function also sends the mails about disabled webhooks. A mail client would slow down the cold start of the
  // fast one.
  'slow-deliveries': {
    ...backgroundFunction,
    secrets: ['signing'],
    sendsTo: ['webhook-delivery', 'slow-deliveries'],
    mails: true,
    batchSize: 50,
  },
  // A large sweep sends ten thousand batches within 40 s, at about a millisecond of a full core each.
  timers: {
    ...backgroundFunction,
    memoryMb: 1_024,
    secrets: ['psp'],
    seals: ['psp'],
    macs: CHARGES,
    sendsTo: ['timers', 'webhook-delivery', 'renewals', 'workflow-runs'],
    publishes: true,
    urgent: true,
  },
  // Five charges at once mostly wait, no longer than the slowest of them. If a process crashes, no more than these come
  // again.
  renewals: {
    ...backgroundFunction,
    memoryMb: 1_024,
    secrets: ['psp'],
    seals: ['psp'],
    macs: CHARGES,
    sendsTo: ['renewals'],
    publishes: true,
    batchSize: 5,
  },
  // Its steps do what the API does: they wait for providers and for organizations' own servers, five executions at
  // once. A payment that it wants to cancel may be paid, and keep its method.
  'workflow-runs': {
    ...backgroundFunction,
    memoryMb: 1_024,
    secrets: ['psp', 'integration'],
    seals: ['psp'],
    macs: CHARGES,
    sendsTo: ['workflow-runs'],
    mails: true,
    batchSize: 5,
  },
};

/** The function that the schedules invoke. */
export const SCHEDULED = 'timers' satisfies FunctionName;

/** Serves the default route: it knows every endpoint, and has no right on anything. */
export const DEFAULT_GROUP = 'openapi' satisfies FunctionGroup;

/**
 * The keys of a table with their literal types. TypeScript widens them to string, as an object may have more keys than
 * its type.
 */
export const namesOf = <K extends string>(record: Readonly<Record<K, unknown>>): readonly K[] =>
  Object.keys(record) as K[];

export function recordOf<K extends string, V>(names: readonly K[], make: (name: K) => V): Readonly<Record<K, V>> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, V>;
}
