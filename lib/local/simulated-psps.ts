import type { HostedSimulators } from '#lib/simulators/simulators.port.ts';
import { addressQuery } from '#shared/domain/routing/callback-address.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { Secret } from '#shared/kernel/secret.ts';
import type { ConnectionsPort } from '#shared/ports/connections.port.ts';
import { type Deadline, PspNotSent, PspOutcomeUnknown, type PspTransport } from '#shared/ports/psp.port.ts';
import { UnsealError, type VaultPort } from '#shared/ports/vault.port.ts';

/** Simulates an unreachable PSP if a scenario wants that: nothing is sent. */
export function withRefusedConnections(
  transport: PspTransport,
  simulators: Pick<HostedSimulators, 'refusesConnection'>,
): PspTransport {
  return {
    async send(provider, request, deadline) {
      if (await simulators.refusesConnection(provider, request.operation, request.paymentId))
        throw new PspNotSent('unreachable', `${provider} refused the connection.`);
      return transport.send(provider, request, deadline);
    },
  };
}

/** For tests: once a simulated PSP has hung up without a response, the deadline of that call is over. */
export function endAtSilence() {
  const over = new WeakSet<Deadline>();
  const transport = ({ send }: PspTransport): PspTransport => ({
    async send(provider, request, deadline) {
      try {
        return await send(provider, request, deadline);
      } catch (error) {
        if (error instanceof PspOutcomeUnknown) over.add(deadline);
        throw error;
      }
    },
  });
  const deadline = (real: Deadline): Deadline => {
    const ending: Deadline = { total: real.total, remaining: () => (over.has(ending) ? 0 : real.remaining()) };
    return ending;
  };
  return { transport, deadline };
}

/**
 * Registers each connection's account with its simulator, with the webhook secret and the callback address. It does so before the connection is
 * stored, so that a crash never leaves a connection whose simulator sends no webhooks.
 */
export function withSimulatorAccounts(
  connections: ConnectionsPort,
  vault: VaultPort,
  simulators: Pick<HostedSimulators, 'registerAccount'>,
): ConnectionsPort {
  return {
    get: (orgId, id) => connections.get(orgId, id),
    recent: (orgId, id) => connections.recent(orgId, id),
    list: (orgId) => connections.list(orgId),
    withCredentials: (routed) => connections.withCredentials(routed),
    countForeignEvents: (...args) => connections.countForeignEvents(...args),
    audit: (...args) => connections.audit(...args),
    async save(connection, ...rest) {
      const credentials = await openCredentials(connection, vault);
      const account = credentials && JSON.parse(credentials.reveal());
      if (account) await simulators.registerAccount(connection.provider, account, undefined, addressQuery(connection));
      return connections.save(connection, ...rest);
    },
  };
}

/** Credentials that cannot be decrypted belong to no account. */
async function openCredentials(
  { org_id, id, sealed_credentials }: Connection,
  vault: VaultPort,
): Promise<Secret | undefined> {
  try {
    return await vault.open(sealed_credentials, { orgId: org_id, purpose: 'credentials', id });
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
}
