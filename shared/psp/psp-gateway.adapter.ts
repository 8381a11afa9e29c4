import { withEnd } from '#shared/domain/payments/capture.rules.ts';
import type { Connection, Provider } from '#shared/domain/routing/connection.model.ts';
import { webhookSecretWarnings } from '#shared/domain/routing/webhook-secret.rules.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { Secret } from '#shared/kernel/secret.ts';
import {
  type Deadline,
  type PspAdapter,
  type PspContext,
  type PspOutcome,
  PspRefused,
  type PspRequest,
  type PspTransport,
  PspUnsupported,
  type TransactionList,
} from '#shared/ports/psp.port.ts';
import type { PspGatewayPort, PspSession } from '#shared/ports/psp-gateway.port.ts';
import { UnsealError, type VaultPort } from '#shared/ports/vault.port.ts';
import { PSPS, providerOf } from '#shared/psp/providers.ts';

type PspGatewayOptions = {
  readonly transport: PspTransport;
  readonly vault: VaultPort;
  readonly clock: Clock;
  readonly rootCertificates: PspContext<unknown>['rootCertificates'];
  /** Left out in functions, which list nothing. */
  readonly transactionLists?: Readonly<Record<Provider, TransactionList | undefined>> | undefined;
};

/**
 * Opens a connection for its adapter: credentials unsealed and parsed, the transport bound to provider and deadline.
 */
export function makePspGateway(options: PspGatewayOptions): PspGatewayPort {
  const { transport, vault, clock, rootCertificates, transactionLists } = options;
  const open = (adapter: PspAdapter, credentials: unknown, deadline: Deadline): PspSession => {
    const parsed = adapter.parseCredentials(credentials);
    if (!parsed.ok) throw new PspRefused('credentials', 'The stored credentials do not have this provider’s form.');
    const context = {
      credentials: parsed.credentials,
      send: (request: PspRequest) => transport.send(adapter.provider, request, deadline),
      now: () => clock.now(),
      rootCertificates,
    };
    return sessionOf(adapter, context, transactionLists?.[adapter.provider]);
  };
  return {
    adapter: providerOf,
    methods: () => Object.values(PSPS).flatMap(({ capabilities }) => capabilities.methods),
    parseCredentials: async (provider, credentials) => (await load(provider)).parseCredentials(credentials),
    openWith: async (provider, credentials, deadline) =>
      open(await load(provider), JSON.parse(credentials.reveal()), deadline),
    open: async (connection, deadline) => {
      const loading = load(connection.provider);
      const [credentials, adapter] = await Promise.all([unseal(connection, vault), loading]);
      return open(adapter, JSON.parse(credentials.reveal()), deadline);
    },
    parseCallback: async (provider, callback) => (await load(provider)).parseCallback(callback),
  };
}

/** Once: importing a module again would ask the loader each time. */
const loaded = new Map<Provider, Promise<PspAdapter>>();

function load(provider: Provider): Promise<PspAdapter> {
  const adapter = loaded.get(provider) ?? providerOf(provider)?.load();
  if (!adapter) throw new PspUnsupported('invalid_configuration', 'This provider is not supported yet.');
  loaded.set(provider, adapter);
  return adapter;
}

/** Credentials that cannot be opened count as wrong, so no call is made with them. */
async function unseal({ sealed_credentials, org_id, id }: Connection, vault: VaultPort): Promise<Secret<string>> {
  try {
    return await vault.open(sealed_credentials, { orgId: org_id, purpose: 'credentials', id });
  } catch (error) {
    if (error instanceof UnsealError)
      throw new PspRefused('credentials', 'The stored credentials could not be opened.');
    throw error;
  }
}

/** Each outcome of a charge passes here, so that every authorization has an end. */
const ending = (adapter: PspAdapter, psp: PspContext<unknown>, outcome: PspOutcome): PspOutcome =>
  outcome.kind === 'authorized' ? withEnd(outcome, adapter.manualCapture, psp.now()) : outcome;

function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof PspRefused && error.kind === 'not_found') return undefined;
  throw error;
}

const sessionOf = (adapter: PspAdapter, psp: PspContext<unknown>, list: TransactionList | undefined): PspSession => ({
  adapter,
  warnings: () => webhookSecretWarnings(Object(psp.credentials), adapter.webhookSecretOrigin),
  create: async (order) => ending(adapter, psp, await adapter.create(order, psp)),
  confirm: async (reference, order, input) =>
    ending(adapter, psp, await adapter.confirm({ reference, order, input }, psp)),
  cancel: (charge) => adapter.cancel(charge, psp),
  refund: (order) => adapter.refund(order, psp),
  fetch: async (charge) => ending(adapter, psp, await adapter.fetch(charge, psp)),
  find: async (order) => {
    const found = await adapter.find?.(order, psp);
    return found && ending(adapter, psp, found);
  },
  fetchWithRefunds: async (charge) => {
    const found = (await adapter.fetchWithRefunds?.(charge, psp)) ?? {
      outcome: await adapter.fetch(charge, psp),
      refunds: undefined,
    };
    return { ...found, outcome: ending(adapter, psp, found.outcome) };
  },
  fetchRefund: (refund) => adapter.fetchRefund(refund, psp),
  listRefunds: async (charge) => (await adapter.listRefunds?.(charge, psp)) ?? [],
  capture: async (order) => {
    if (!adapter.capture) throw new PspUnsupported('method_not_supported', 'This provider captures nothing later.');
    return adapter.capture(order, psp);
  },
  fetchAuthorization: async (charge) => adapter.fetchAuthorization?.(charge, psp),
  chargeIds: async (charge) => {
    if (!adapter.chargeIds) return 'unknown';
    return adapter.chargeIds(charge, psp).catch(undefinedIfNotFound);
  },
  disputes: async (call) => call((await adapter.disputeCalls?.()) ?? {}, psp),
  listTransactions: async (query) => list?.(query, psp),
  ping: () => adapter.ping(psp),
  verifyCallback: async (callback, proof) => adapter.verifyCallback(callback, psp, proof),
  isUnsigned: (callback) => adapter.isUnsigned?.(callback, psp) ?? false,
});
