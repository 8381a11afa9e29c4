import type { Simulators } from '#lib/simulators/simulator.port.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { Secret } from '#shared/kernel/secret.ts';
import type { ConnectionsPort } from '#shared/ports/connections.port.ts';
import { PspNotSent, type PspTransport } from '#shared/ports/psp.port.ts';
import { type VaultPort, VaultRefused } from '#shared/ports/vault.port.ts';

/** Simulates an unreachable PSP where a scenario wants that: no byte leaves. */
export function refusing(transport: PspTransport, simulators: Pick<Simulators, 'refusesConnection'>): PspTransport {
  return {
    async send(provider, request, deadline) {
      if (simulators.refusesConnection(provider, request.operation, request.paymentId))
        throw new PspNotSent('unreachable', `${provider} refused the connection.`);
      return transport.send(provider, request, deadline);
    },
  };
}

/**
 * A connection's account exists at the simulated PSP too, with its webhook secret: the simulator learns it just before
 * the connection is stored, so that no crash leaves a connection whose PSP sends nothing.
 */
export function teaching(
  connections: ConnectionsPort,
  vault: VaultPort,
  simulators: Pick<Simulators, 'learnAccount'>,
): ConnectionsPort {
  return {
    get: (orgId, id) => connections.get(orgId, id),
    audit: (...asked) => connections.audit(...asked),
    async save(connection, ...beside) {
      const credentials = await opened(connection, vault);
      if (credentials) simulators.learnAccount(connection.provider, JSON.parse(credentials.reveal()));
      return connections.save(connection, ...beside);
    },
  };
}

/** Credentials that can't be opened belong to no account. */
async function opened({ org_id, id, sealed_credentials }: Connection, vault: VaultPort): Promise<Secret | undefined> {
  try {
    return await vault.open(sealed_credentials, { orgId: org_id, purpose: 'credentials', id });
  } catch (error) {
    if (error instanceof VaultRefused) return undefined;
    throw error;
  }
}
