import { saveConnection } from '#functions/connections/save-connection.usecase.ts';
import { createOrganization } from '#functions/platform/create-organization.usecase.ts';
import { SIMULATORS } from '#lib/simulators/simulator-registry.ts';
import type { KeyKind } from '#shared/domain/accounts/api-key.model.ts';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import { type Operation, operationId } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';
import { issueApiKey } from '#shared/services/accounts/issue-api-key.service.ts';

export type Demo = {
  readonly org_id: string;
  readonly keys: Readonly<Record<KeyKind, string>>;
  readonly connections: Readonly<Partial<Record<Provider, string>>>;
  readonly owner_email: string;
};

const OWNER_EMAIL = 'owner@demo-shop.example';

/** The first one is default routing's choice. */
const PROVIDER_ORDER: readonly Provider[] = ['stripe', ...PROVIDERS.filter((provider) => provider !== 'stripe')];

/**
 * The demo's data. Ids and keys derive from the host's own secret, so that an interrupted start is continued, and a
 * later one finds the same. `secret` is the first version: a new one must not make another organization.
 */
export async function createDemo(
  deps: Deps,
  secret: string,
  providers: readonly Provider[] = PROVIDER_ORDER,
): Promise<Demo> {
  const bits = keyedHash(secret, deps.config.stage, 'demo organization');
  const organization = await createOrganization(bits, { name: 'Demo Shop', legal_name: 'Demo Shop Ltd' }, deps);
  await deps.owners.record({ email: OWNER_EMAIL, org_id: organization.id, created_at: organization.created_at });
  const operation = (what: string, later = 0, of = secret): Operation => ({
    seed: keyedHash(of, deps.config.stage, 'demo', what).toString('hex'),
    at: plus(organization.created_at, later),
    resumed: true,
  });
  const key = async (kind: KeyKind) => {
    const input = { org_id: organization.id, name: `Demo ${kind} key`, kind, scopes: kind === 'public' ? [] : SCOPES };
    // A key ends with a tag of the current secret, so another version has other keys.
    const issued = operation(`${kind} key`, 0, deps.config.hashSecret);
    return (await issueApiKey(input, issued, Buffer.from(issued.seed, 'hex'), deps)).text.reveal();
  };
  return {
    org_id: organization.id,
    keys: { service: await key('service'), secret: await key('secret'), public: await key('public') },
    connections: await demoConnections(organization, providers, operation, deps),
    owner_email: OWNER_EMAIL,
  };
}

type OperationOf = (what: string, later: number) => Operation;

/** Each is a millisecond younger than the previous one: on ties, routing follows the catalogue's order. */
async function demoConnections(
  organization: Organization,
  providers: readonly Provider[],
  operationOf: OperationOf,
  deps: Deps,
): Promise<Demo['connections']> {
  const connections: Partial<Record<Provider, string>> = {};
  for (const provider of providers) {
    const operation = operationOf(`${provider} connection`, PROVIDER_ORDER.indexOf(provider));
    const id = operationId(operation, 'connection');
    const credentials = randomCredentials(provider, deps.config.stage);
    const stored = await deps.connections.get(organization.id, id);
    if (!stored && !credentials) continue;
    if (!stored) await saveConnection({ id, provider, credentials }, caller(organization.id, operation, deps), deps);
    connections[provider] = id;
  }
  return connections;
}

const caller = (orgId: string, operation: Operation, { organizations }: Deps) => ({
  orgId,
  credentialId: 'local-host',
  kind: 'service' as const,
  scopes: SCOPES,
  actorId: null,
  ip: '127.0.0.1',
  requestId: 'local-host',
  operation,
  idempotencyRequest: undefined,
  routingData: () => organizations.routingData(orgId),
});

/** Random each time; `undefined` for a provider without a simulator. */
export const randomCredentials = (provider: Provider, stage: Stage): Readonly<Record<string, unknown>> | undefined =>
  SIMULATORS.find((simulator) => simulator.provider === provider)?.randomCredentials(stage);
