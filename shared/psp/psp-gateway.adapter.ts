import type { Provider } from '#shared/domain/reference/provider.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { Secret } from '#shared/kernel/secret.ts';
import {
  type Deadline,
  type PspAdapter,
  type PspContext,
  PspRefused,
  type PspTransport,
  PspUnasked,
} from '#shared/ports/psp.port.ts';
import type { PspGatewayPort, PspSession } from '#shared/ports/psp-gateway.port.ts';
import { type VaultPort, VaultRefused } from '#shared/ports/vault.port.ts';
import { adapterOf } from '#shared/psp/providers.ts';

type Parts = {
  readonly transport: PspTransport;
  readonly vault: VaultPort;
  readonly clock: Clock;
  readonly roots: PspContext<unknown>['roots'];
};

/**
 * Opens a connection for its adapter: credentials unsealed and parsed, the transport bound to provider and deadline.
 */
export function makePspGateway({ transport, vault, clock, roots }: Parts): PspGatewayPort {
  const open = (provider: Provider, credentials: Secret<string>, deadline: Deadline): PspSession => {
    const adapter = need(adapterOf(provider));
    const parsed = adapter.parseCredentials(JSON.parse(credentials.reveal()));
    if (!parsed.ok) throw new PspRefused('credentials', 'The stored credentials are not readable as this provider’s.');
    return session(adapter, {
      credentials: parsed.credentials,
      send: (request) => transport.send(provider, request, deadline),
      now: () => clock.now(),
      roots,
    });
  };
  return {
    adapter: adapterOf,
    with: open,
    open: async (connection, deadline) => open(connection.provider, await unseal(connection, vault), deadline),
    readings: (provider, callback) => need(adapterOf(provider)).readCallback(callback),
  };
}

/** Credentials that can't be opened count as wrong: no call is made with them. */
async function unseal({ sealed_credentials, org_id, id }: Connection, vault: VaultPort): Promise<Secret<string>> {
  try {
    return await vault.open(sealed_credentials, { orgId: org_id, purpose: 'credentials', id });
  } catch (error) {
    if (error instanceof VaultRefused)
      throw new PspRefused('credentials', 'The stored credentials could not be opened.');
    throw error;
  }
}

const need = (adapter: PspAdapter | undefined): PspAdapter => {
  if (!adapter) throw new PspUnasked('invalid_configuration', 'This provider is not supported yet.');
  return adapter;
};

const session = (adapter: PspAdapter, psp: PspContext<unknown>): PspSession => ({
  adapter,
  create: (order) => adapter.create(order, psp),
  confirm: (reference, order, input) => adapter.confirm({ reference, order, input }, psp),
  cancel: (charge) => adapter.cancel(charge, psp),
  refund: (order) => adapter.refund(order, psp),
  fetch: (charge) => adapter.fetch(charge, psp),
  find: async (order) => adapter.find?.(order, psp),
  fetchRefund: (refund) => adapter.fetchRefund(refund, psp),
  listRefunds: async (charge) => (await adapter.listRefunds?.(charge, psp)) ?? [],
  ping: () => adapter.ping(psp),
  verifies: async (callback) => adapter.verifyCallback(callback, psp),
});
