import { changeConnection } from '#functions/connections/change-connection.ts';
import { checkedAdapter } from '#functions/connections/checked-adapter.ts';
import type { SaveConnectionInput } from '#functions/connections/connections.schema.ts';
import { isLive } from '#functions/connections/stored-connection.ts';
import { withCalls } from '#functions/connections/with-calls.ts';
import type { Connection } from '#shared/domain/connection.model.ts';
import { bornAgain, mergeConnection, newConnection, refuseForbidden } from '#shared/domain/connection.rules.ts';
import { operationId } from '#shared/kernel/operation.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PspAdapter } from '#shared/ports/psp.port.ts';

type Needs = Pick<Deps, 'connections' | 'totals' | 'vault' | 'psp' | 'clock' | 'config'>;

/**
 * Makes a connection or merges what is sent into the stored one. The id comes from the caller or the operation, so that a
 * retry after a crash merges the same once more.
 */
export async function saveConnection(input: SaveConnectionInput, caller: Caller, deps: Needs) {
  const id = input.id ?? operationId(caller.operation, 'connection');
  const place = { orgId: caller.orgId, id };
  let sealed: string | undefined;

  async function merged(stored: Connection | undefined): Promise<Connection> {
    refuseForbidden(input, stored, deps.config.stage);
    const current = isLive(stored) ? stored : undefined;
    const adapter = checkedAdapter(input, current, deps);
    sealed ??= input.credentials && (await seal(input.credentials, place, deps));
    const base = current ?? begin({ id, org_id: caller.orgId, ...born(input, adapter, deps) }, stored, deps.clock.now());
    return mergeConnection(base, input, sealed ?? current?.sealed_credentials ?? '', deps.clock.now());
  }

  const saved = await changeConnection(id, (current) => (current ? 'updated' : 'created'), merged, caller, deps);
  return withCalls(saved, deps);
}

const begin = (birth: Parameters<typeof newConnection>[0], gone: Connection | undefined, at: Date) =>
  gone ? bornAgain(birth, gone, at) : newConnection(birth, at);

const born = (input: SaveConnectionInput, { provider, capabilities }: PspAdapter, { config }: Needs) => ({
  provider,
  mode: input.mode ?? config.stage,
  capabilities,
});

const seal = (credentials: Readonly<Record<string, unknown>>, place: { readonly orgId: string; readonly id: string }, { vault }: Needs): Promise<string> =>
  vault.seal(new Secret(JSON.stringify(credentials)), { ...place, purpose: 'credentials' });
