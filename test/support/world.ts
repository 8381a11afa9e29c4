import { randomUUID } from 'node:crypto';
import { dashboardFiles } from '#shared/adapters/dashboard/dashboard-files.adapter.ts';
import { loadMasterKey, masterKeyWrapper } from '#shared/adapters/local/master-key.adapter.ts';
import { referenceFiles } from '#shared/adapters/reference/reference-files.adapter.ts';
import { makeVault } from '#shared/adapters/vault/envelope-vault.adapter.ts';
import { serviceContainer } from '#shared/container/service.container.ts';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { declineOf, type FailureCode } from '#shared/domain/payments/declines.catalog.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { unkeyedOperation } from '#shared/kernel/operation.ts';
import type { BusEvent } from '#shared/ports/bus.port.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Mail } from '#shared/ports/mail.port.ts';
import {
  type ChargeOrder,
  PspNotSent,
  type PspOutcome,
  PspOutcomeUnknown,
  type RefundOrder,
  type RefundOutcome,
} from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import type { QueueMessage, QueueName } from '#shared/ports/queue.port.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { aConnection, ORG } from '#test/support/payment.builder.ts';
import { START, stoppedClock } from '#test/support/stopped-clock.ts';

type ChargeResult = (order: ChargeOrder) => PspOutcome;
type RefundResult = (order: RefundOrder) => RefundOutcome;

const referenceOf = ({ attemptId }: ChargeOrder): string => `ch_${attemptId}`;

/** How a provider responds to a charge. */
export const charges = {
  approved: (): ChargeResult => (order) => ({
    kind: 'succeeded',
    reference: referenceOf(order),
    amount: order.amount,
    currency: order.currency,
  }),
  declined:
    (code: FailureCode): ChargeResult =>
    (order) => ({ kind: 'declined', reference: referenceOf(order), decline: declineOf(code) }),
  pending: (): ChargeResult => (order) => ({ kind: 'processing', reference: referenceOf(order) }),
  /** The connection was refused: nothing was sent. */
  unreachable: (): ChargeResult => () => {
    throw new PspNotSent('unreachable', 'The provider was not reached.');
  },
  unanswered: (): ChargeResult => () => {
    throw new PspOutcomeUnknown('The provider gave no response.');
  },
};

type WorldOptions = {
  readonly organization?: Partial<Organization>;
  /** By default one at Stripe, `conn_a`. */
  readonly connections?: readonly Connection[];
  /** By connection: the results of one charge after the other; the last one repeats. By default approved. */
  readonly charges?: Readonly<Record<string, readonly ChargeResult[]>>;
  readonly refund?: RefundResult;
};

export type World = {
  readonly deps: Deps;
  readonly clock: ReturnType<typeof stoppedClock>;
  /** A server with an API key with all scopes, and a new idempotency key each time. */
  readonly caller: (about?: Partial<Caller>) => Caller;
  /** Every charge that was sent to a provider, oldest first. */
  readonly charged: readonly { readonly connection: string; readonly order: ChargeOrder }[];
  readonly refunded: readonly RefundOrder[];
  readonly queued: readonly { readonly queue: QueueName; readonly message: QueueMessage }[];
  readonly published: readonly BusEvent[];
  readonly mails: readonly Mail[];
  readonly stored: (id: string) => Promise<Payment>;
  /** The types of the pending events in the payment's outbox, oldest first. */
  readonly outbox: (id: string) => Promise<readonly string[]>;
};

/**
 * The dependencies of every use case, in memory: real repositories over one table, a stopped clock, and providers
 * that respond as the test says. The decisions of a use case need no host.
 */
export async function world(options: WorldOptions = {}): Promise<World> {
  const clock = stoppedClock();
  const [queued, published, mails] = [[] as World['queued'][number][], [] as BusEvent[], [] as Mail[]];
  const service = serviceContainer({
    table: new SqliteTable({ database: openDatabase(':memory:') }),
    queue: {
      send: async (queue, messages) => void queued.push(...messages.map((message) => ({ queue, message }))),
    },
    bus: { publish: async (events) => void published.push(...events) },
    vault: makeVault(masterKeyWrapper(loadMasterKey(undefined))),
    transport: { send: () => Promise.reject(new Error('The providers of this world send nothing.')) },
    webhookHttp: {
      check: async () => undefined,
      post: async () => ({ statusCode: 200, durationMs: 1, error: null }),
    },
    mail: { send: async (mail) => void mails.push(mail) },
    referenceFiles: referenceFiles(() => Promise.reject(new Error('This world has no reference.')), {}),
    dashboardFiles: dashboardFiles(() => Promise.reject(new Error('This world has no dashboard.'))),
    clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    config: CONFIG,
    limited: false,
  });
  const { psp, charged, refunded } = scriptedPsp(service.psp, options);
  const deps: Deps = { ...service, psp };
  await deps.organizations.create({ ...ORGANIZATION, ...options.organization });
  for (const connection of options.connections ?? [aConnection()]) await deps.connections.save(connection);

  const stored = async (id: string): Promise<Payment> => {
    const payment = await deps.payments.get(ORG, id);
    if (!payment) throw new Error(`There is no payment ${id}.`);
    return payment;
  };
  return {
    deps,
    clock,
    charged,
    refunded,
    queued,
    published,
    mails,
    stored,
    outbox: async (id) => (await stored(id)).outbox.map(({ type }) => type),
    caller: (about) => callerOf(deps, about),
  };
}

const CONFIG: Deps['config'] = {
  stage: 'sandbox',
  version: '1.0.0',
  apiUrl: 'https://api.example.com',
  otherStageUrl: 'https://live.example.com',
  hashSecret: 'a secret for hashes',
  tokenSecret: 'a secret for tokens',
  recoverySecret: 'a secret for recovery codes',
  pagesUrl: 'https://api.example.com',
  dashboardUrl: undefined,
  origins: [],
  passkeyDomain: 'api.example.com',
  platformNeedsSecondFactor: true,
};

const ORGANIZATION: Organization = {
  id: ORG,
  name: 'Shop',
  legal_name: 'Shop Ltd',
  kyc: 'approved',
  plan: 'scale',
  created_at: START.toISOString(),
};

const callerOf = ({ organizations, clock }: Deps, about: Partial<Caller> = {}): Caller => ({
  orgId: ORG,
  credentialId: 'key_1',
  kind: 'service',
  scopes: SCOPES,
  actorId: null,
  ip: '198.51.100.7',
  requestId: 'req_1',
  operation: unkeyedOperation(clock.now()),
  idempotencyRequest: { orgId: ORG, class: 'server', key: randomUUID(), request: 'a hash', credentialId: 'key_1' },
  routingData: () => organizations.routingData(ORG),
  ...about,
});

function scriptedPsp(gateway: Deps['psp'], { charges: script = {}, refund }: WorldOptions) {
  const charged: { connection: string; order: ChargeOrder }[] = [];
  const refunded: RefundOrder[] = [];
  const resultOf = (connection: string): ChargeResult => {
    const results = script[connection] ?? [];
    const nth = charged.filter((each) => each.connection === connection).length;
    return results[Math.min(nth, results.length) - 1] ?? charges.approved();
  };
  const open = async (connection: Connection): Promise<PspSession> => {
    const adapter = gateway.adapter(connection.provider);
    if (!adapter) throw new Error(`There is no provider ${connection.provider}.`);
    const unscripted = async (): Promise<never> => {
      throw new Error('This world does not say what its providers do here.');
    };
    return {
      adapter,
      create: async (order) => {
        charged.push({ connection: connection.id, order });
        return resultOf(connection.id)(order);
      },
      refund: async (order) => {
        refunded.push(order);
        return refund?.(order) ?? { kind: 'succeeded', reference: `re_${order.refundId}` };
      },
      confirm: unscripted,
      cancel: unscripted,
      fetch: unscripted,
      find: unscripted,
      fetchRefund: unscripted,
      capture: unscripted,
      fetchAuthorization: async () => undefined,
      fetchWithRefunds: unscripted,
      listRefunds: async () => [],
      chargeIds: unscripted,
      disputes: unscripted,
      listTransactions: unscripted,
      ping: unscripted,
      verifyCallback: unscripted,
      warnings: () => [],
      isUnsigned: () => false,
    };
  };
  return { psp: { ...gateway, open }, charged, refunded };
}
