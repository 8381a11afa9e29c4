import type { DatabaseSync } from 'node:sqlite';
import { AccountBook } from '#lib/simulators/frame/account-book.ts';
import type { WebhookMode } from '#lib/simulators/frame/behaviour.ts';
import { transactions } from '#lib/simulators/frame/database.ts';
import { IdempotencyStore } from '#lib/simulators/frame/idempotency-store.ts';
import { Ledger } from '#lib/simulators/frame/ledger.ts';
import { ObjectStore } from '#lib/simulators/frame/object-store.ts';
import type { ProviderSimulator, Work } from '#lib/simulators/frame/provider.port.ts';
import { ScenarioBook } from '#lib/simulators/frame/scenario-book.ts';
import { type WebhookJob, WebhookSender } from '#lib/simulators/frame/webhook-sender.ts';
import { HERE } from '#lib/simulators/frame/wire.ts';
import type { SimulatorsOptions } from '#lib/simulators/simulator.port.ts';

export const DEFAULT_NAME = 'Demo Shop Ltd';

/** What is shared by all simulators of this machine. */
export type World = ReturnType<typeof createWorld>;

export function createWorld(
  options: SimulatorsOptions,
  database: DatabaseSync,
  simulators: readonly ProviderSimulator[],
  address: () => string,
) {
  const accounts = new AccountBook(database, options.protect);
  const byName = new Map(simulators.map((simulator) => [simulator.provider, simulator]));
  const objects = new Map(simulators.map(({ provider }) => [provider, new ObjectStore(database, provider)]));
  const atomically = transactions(database);
  const sender = new WebhookSender(database, atomically, ({ provider, account, body, query }) => {
    const known = accounts.find(provider, account);
    const simulator = byName.get(provider);
    if (!known || !simulator || known.webhookSecrets.length === 0) return undefined;
    const bare = body.replaceAll(HERE, address());
    const text = simulator.dressWebhook?.(bare, known.webhookSecrets) ?? bare;
    const headers = simulator.signWebhook(text, known.webhookSecrets, options.clock.now());
    return { url: `${options.webhookBase()}/webhooks/${provider}${query}`, headers, body: text };
  });
  return {
    options,
    atomically,
    byName,
    accounts,
    sender,
    objectsOf: ({ provider }: ProviderSimulator): ObjectStore =>
      objects.get(provider) ?? new ObjectStore(database, provider),
    ledger: new Ledger(database),
    idempotency: new IdempotencyStore(database),
    scenarios: new ScenarioBook(),
  };
}

type Doing = { readonly simulator: ProviderSimulator; readonly account: string; readonly asked: Work['asked'] };

/** What a piece of work left to be sent, and how. */
export type Outgoing = { readonly jobs: readonly WebhookJob[]; readonly mode: WebhookMode };

/**
 * Runs `act` in one transaction. Its events are queued with it; sending them is the caller's, when the time is right.
 */
export function carryOut<T>(
  world: World,
  { simulator, account, asked }: Doing,
  act: (work: Work) => T,
): { readonly result: T; readonly outgoing: Outgoing } {
  const { provider } = simulator;
  const known = world.accounts.find(provider, account);
  const events: { readonly body: () => string; readonly query: string }[] = [];
  let mode: WebhookMode = { kind: 'normal' };
  return world.atomically(() => {
    const result = act({
      account,
      asked,
      now: world.options.clock.now(),
      objects: world.objectsOf(simulator),
      accountName: known?.name ?? DEFAULT_NAME,
      accountPublicId: known?.publicId ?? null,
      took: (charge) => world.ledger.took(provider, charge),
      gaveBack: (chargeId, amount) => world.ledger.gaveBack(provider, chargeId, amount),
      emit: (body, query = '') => events.push({ body, query }),
      sendBy: (chosen) => {
        mode = chosen;
      },
    });
    const heard = known !== undefined && known.webhookSecrets.length > 0 && mode.kind !== 'none';
    const jobs = heard ? events.map(({ body, query }) => world.sender.queue(provider, account, body(), query)) : [];
    return { result, outgoing: { jobs, mode } };
  });
}
