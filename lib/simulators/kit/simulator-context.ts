import type { DatabaseSync } from 'node:sqlite';
import { AccountStore } from '#lib/simulators/kit/account-store.ts';
import type { WebhookMode } from '#lib/simulators/kit/behaviour.ts';
import { transactionRunner } from '#lib/simulators/kit/database.ts';
import { DisputeBook } from '#lib/simulators/kit/dispute-book.ts';
import { IdempotencyStore } from '#lib/simulators/kit/idempotency.ts';
import { Ledger } from '#lib/simulators/kit/ledger.ts';
import { ObjectStore } from '#lib/simulators/kit/object-store.ts';
import type { ProviderSimulator, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { ScenarioQueue } from '#lib/simulators/kit/scenario-queue.ts';
import { type WebhookJob, WebhookSender } from '#lib/simulators/kit/webhook-sender.ts';
import { BASE_URL } from '#lib/simulators/kit/wire.ts';
import type { SimulatorsOptions } from '#lib/simulators/simulators.port.ts';

export const DEFAULT_ACCOUNT_NAME = 'Demo Shop Ltd';

/** What all simulators share. */
export type SimulatorContext = ReturnType<typeof createContext>;

export function createContext(
  options: SimulatorsOptions,
  database: DatabaseSync,
  simulators: readonly ProviderSimulator[],
  address: () => string,
) {
  const accounts = new AccountStore(database, options.protect);
  const byName = new Map(simulators.map((simulator) => [simulator.provider, simulator]));
  const objects = new Map(simulators.map(({ provider }) => [provider, new ObjectStore(database, provider)]));
  const inTransaction = transactionRunner(database);
  const buildRequest = ({ provider, account, body, query }: WebhookJob) => {
    const known = accounts.find(provider, account);
    const simulator = byName.get(provider);
    if (!known || !simulator || known.webhookSecrets.length === 0) return undefined;
    const unsigned = body.replaceAll(BASE_URL, address());
    const text = simulator.signWebhookBody?.(unsigned, known.webhookSecrets) ?? unsigned;
    const headers = simulator.webhookHeaders(text, known.webhookSecrets, options.clock.now());
    // A charge may name an address of its own.
    const url = `${options.webhookBase()}/webhooks/${provider}${query || known.webhookQuery}`;
    return { url, headers, body: text };
  };
  const sender = new WebhookSender(database, inTransaction, buildRequest, options.webhookBackOffMs);
  return {
    options,
    inTransaction,
    byName,
    accounts,
    sender,
    objectsOf: ({ provider }: ProviderSimulator): ObjectStore =>
      objects.get(provider) ?? new ObjectStore(database, provider),
    ledger: new Ledger(database),
    disputeBook: new DisputeBook(database),
    idempotency: new IdempotencyStore(database),
    scenarios: new ScenarioQueue(),
  };
}

type TransactionScope = {
  readonly simulator: ProviderSimulator;
  readonly account: string;
  readonly apiRequest: UnitOfWork['apiRequest'];
};

/** Queued webhooks, and how to deliver them. */
export type OutgoingWebhooks = { readonly jobs: readonly WebhookJob[]; readonly mode: WebhookMode };

/** Runs `action` in one transaction, which also queues its webhooks. The caller dispatches them afterwards. */
export function runInTransaction<T>(
  context: SimulatorContext,
  { simulator, account, apiRequest }: TransactionScope,
  action: (work: UnitOfWork) => T,
): { readonly result: T; readonly outgoing: OutgoingWebhooks } {
  const { provider } = simulator;
  const known = context.accounts.find(provider, account);
  const events: { readonly body: () => string; readonly query: string }[] = [];
  let mode: WebhookMode = { kind: 'normal' };
  return context.inTransaction(() => {
    const result = action({
      account,
      apiRequest,
      now: context.options.clock.now(),
      objects: context.objectsOf(simulator),
      accountName: known?.name ?? DEFAULT_ACCOUNT_NAME,
      accountPublicId: known?.publicId ?? null,
      recordCharge: (charge) => context.ledger.recordCharge(provider, charge),
      recordHold: (hold) => context.ledger.recordHold(provider, hold),
      recordCapture: (capture) => context.ledger.recordCapture(provider, capture),
      recordRelease: (hold) => context.ledger.recordRelease(provider, hold),
      wasReleased: (hold) => context.ledger.wasReleased(provider, hold),
      recordRefund: (chargeId, amount) => context.ledger.recordRefund(provider, chargeId, amount),
      recordDispute: (dispute) => context.disputeBook.record(provider, dispute),
      emit: (body, query = '') => events.push({ body, query }),
      setWebhookMode: (newMode) => {
        mode = newMode;
      },
    });
    const hasEndpoint = known !== undefined && known.webhookSecrets.length > 0 && mode.kind !== 'none';
    const jobs = (hasEndpoint ? events : [])
      .map(({ body, query }) => ({ body: body(), query }))
      .filter(({ body }) => isRegistered(context, simulator, body))
      .map(({ body, query }) => context.sender.queue(provider, account, body, query));
    return { result, outgoing: { jobs, mode } };
  });
}

function isRegistered({ options }: SimulatorContext, simulator: ProviderSimulator, body: string): boolean {
  const registered = options.registeredEvents?.[simulator.provider];
  return !registered || !simulator.eventTypeOf || registered.includes(simulator.eventTypeOf(body));
}
