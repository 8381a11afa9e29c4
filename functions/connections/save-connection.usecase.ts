import type { SaveConnectionInput } from '#functions/connections/connections.schema.ts';
import type { Connection } from '#shared/domain/connection.model.ts';
import { mergeConnection, newConnection, refuseForbidden } from '#shared/domain/connection.rules.ts';
import { PROVIDERS } from '#shared/domain/providers.catalog.ts';
import { AppError, invalidFields } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PspAdapter } from '#shared/ports/psp.port.ts';

type Needs = Pick<Deps, 'connections' | 'vault' | 'psp' | 'clock' | 'config'>;

/** How often a lost race is run again; each round somebody else's change was saved. */
const ROUNDS = 10;

/**
 * Makes a connection or merges what is sent into the stored one. The id comes from the caller or the operation, so that a
 * retry after a crash merges the same once more.
 */
export async function saveConnection(input: SaveConnectionInput, caller: Caller, deps: Needs): Promise<Connection> {
  const id = input.id ?? operationId(caller.operation, 'connection');
  let sealed: string | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const current = await deps.connections.get(caller.orgId, id);
    refuseForbidden(input, current, deps.config.stage);
    const adapter = checked(input, current, deps);
    sealed ??= input.credentials && (await seal(input.credentials, { orgId: caller.orgId, id }, deps));

    const base = current ?? newConnection({ id, org_id: caller.orgId, ...born(input, adapter, deps) }, deps.clock.now());
    const next = mergeConnection(base, input, sealed ?? current?.sealed_credentials ?? '', deps.clock.now());
    if (await deps.connections.save(next)) return next;
  }
  throw new AppError('write_conflict', `Others are changing ${id} right now. Please try again.`);
}

/** The provider's adapter, once it has nothing to object to. */
function checked(input: SaveConnectionInput, current: Connection | undefined, { psp }: Needs): PspAdapter {
  const provider = current?.provider ?? input.provider;
  const missing = [
    ...(provider ? [] : [{ path: 'provider', message: 'A new connection needs its provider.' }]),
    ...(current || input.credentials ? [] : [{ path: 'credentials', message: "A new connection needs its provider's credentials." }]),
  ];
  if (!provider) throw invalidFields(missing);
  const adapter = psp.adapter(provider);
  if (!adapter) throw invalidFields([{ path: 'provider', message: `Not available yet; there are ${available(psp).join(', ')}.` }, ...missing]);
  const parsed = input.credentials ? adapter.parseCredentials(input.credentials) : undefined;
  const faults = parsed?.ok === false ? parsed.faults.map(({ path, message }) => ({ path: path ? `credentials.${path}` : 'credentials', message })) : [];
  if (missing.length + faults.length > 0) throw invalidFields([...missing, ...faults]);
  return adapter;
}

const available = (psp: Needs['psp']): readonly string[] => PROVIDERS.filter((provider) => psp.adapter(provider));

const born = (input: SaveConnectionInput, { provider, capabilities }: PspAdapter, { config }: Needs) => ({
  provider,
  mode: input.mode ?? config.stage,
  capabilities,
});

const seal = (credentials: Readonly<Record<string, unknown>>, place: { readonly orgId: string; readonly id: string }, { vault }: Needs): Promise<string> =>
  vault.seal(new Secret(JSON.stringify(credentials)), { ...place, purpose: 'credentials' });
