import { checkedAdapter } from '#functions/connections/checked-adapter.ts';
import type { SaveConnectionInput } from '#functions/connections/connections.schema.ts';
import { tryCredentials } from '#functions/connections/try-credentials.ts';
import { refuseForbidden } from '#shared/domain/routing/connection.rules.ts';
import { matchNames } from '#shared/domain/routing/name-match.rules.ts';
import { operationId } from '#shared/kernel/operation.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

const MESSAGES = {
  valid: 'The provider takes these credentials.',
  invalid: 'The provider refuses these credentials.',
  unreachable: 'The provider could not be reached.',
};

/** Checks what creating the connection would check, sealing included, and stores nothing. */
export async function testConnection(
  input: SaveConnectionInput,
  caller: Caller,
  deps: Pick<Deps, 'vault' | 'psp' | 'config' | 'pspDeadline'>,
) {
  refuseForbidden(input, undefined, deps.config.stage);
  const adapter = checkedAdapter(input, undefined, deps);
  const place = {
    orgId: caller.orgId,
    purpose: 'credentials',
    id: input.id ?? operationId(caller.operation, 'connection'),
  } as const;
  const sealed = await deps.vault.seal(new Secret(JSON.stringify(input.credentials)), place);
  const opened = await deps.vault.open(sealed, place);

  const { error, ...trial } = await tryCredentials(() => deps.psp.with(adapter.provider, opened, deps.pspDeadline()));
  const { organization } = await caller.setup();
  return {
    ok: trial.credentials === 'valid',
    message: error ? `${MESSAGES[trial.credentials]} ${error}` : MESSAGES[trial.credentials],
    capabilities: { ...adapter.capabilities, ...input.capabilities },
    validation: { ...trial, name_match_status: matchNames(organization?.legal_name ?? null, trial.account_name) },
  };
}
