import { checkedAdapter } from '#functions/connections/checked-adapter.ts';
import type { SaveConnectionInput } from '#functions/connections/connections.schema.ts';
import { withCalls } from '#functions/connections/with-calls.ts';
import { mergeConnection, newConnection, refuseForbidden } from '#shared/domain/connection.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PspAdapter } from '#shared/ports/psp.port.ts';

type Needs = Pick<Deps, 'connections' | 'totals' | 'vault' | 'psp' | 'clock' | 'config'>;

/** How often a lost race is run again; each round somebody else's change was saved. */
const ROUNDS = 10;

/**
 * Makes a connection or merges what is sent into the stored one. The id comes from the caller or the operation, so that a
 * retry after a crash merges the same once more.
 */
export async function saveConnection(input: SaveConnectionInput, caller: Caller, deps: Needs) {
  const id = input.id ?? operationId(caller.operation, 'connection');
  let sealed: string | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const current = await deps.connections.get(caller.orgId, id);
    refuseForbidden(input, current, deps.config.stage);
    const adapter = checkedAdapter(input, current, deps);
    sealed ??= input.credentials && (await seal(input.credentials, { orgId: caller.orgId, id }, deps));

    const base = current ?? newConnection({ id, org_id: caller.orgId, ...born(input, adapter, deps) }, deps.clock.now());
    const next = mergeConnection(base, input, sealed ?? current?.sealed_credentials ?? '', deps.clock.now());
    if (await deps.connections.save(next)) return withCalls(next, deps);
  }
  throw new AppError('write_conflict', `Others are changing ${id} right now. Please try again.`);
}

const born = (input: SaveConnectionInput, { provider, capabilities }: PspAdapter, { config }: Needs) => ({
  provider,
  mode: input.mode ?? config.stage,
  capabilities,
});

const seal = (credentials: Readonly<Record<string, unknown>>, place: { readonly orgId: string; readonly id: string }, { vault }: Needs): Promise<string> =>
  vault.seal(new Secret(JSON.stringify(credentials)), { ...place, purpose: 'credentials' });
