import { checkCredentials, validProvider } from '#functions/connections/connection-credentials.ts';
import {
  assertLive,
  changeConnection,
  loadConnection,
  withCallTotals,
} from '#functions/connections/connection-store.ts';
import type { SaveConnectionInput } from '#functions/connections/connections.schema.ts';
import { withCaptureCapabilities } from '#shared/domain/routing/candidates.rules.ts';
import { assertChangeAllowed, recordValidation } from '#shared/domain/routing/connection.rules.ts';
import { matchNames } from '#shared/domain/routing/name-match.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

const MESSAGES = {
  valid: 'The provider accepts these credentials.',
  invalid: 'The provider rejects these credentials.',
  unreachable: 'The provider could not be reached.',
};

/** Makes the same checks as creating the connection, including encryption, and stores nothing. */
export async function testConnection(
  input: SaveConnectionInput,
  caller: Caller,
  deps: Pick<Deps, 'vault' | 'psp' | 'config' | 'pspDeadline'>,
) {
  assertChangeAllowed(input, undefined, deps.config.stage);
  const { provider, capabilities } = await validProvider(input, undefined, deps);
  const owner = {
    orgId: caller.orgId,
    purpose: 'credentials',
    id: input.id ?? operationId(caller.operation, 'connection'),
  } as const;
  const sealed = await deps.vault.seal(new Secret(JSON.stringify(input.credentials)), owner);
  const opened = await deps.vault.open(sealed, owner);

  const found = await checkCredentials(() => deps.psp.openWith(provider, opened, deps.pspDeadline()));
  const { error, ...check } = found.check;
  const { organization } = await caller.routingData();
  return {
    ok: check.credentials === 'valid',
    message: error ? `${MESSAGES[check.credentials]} ${error}` : MESSAGES[check.credentials],
    capabilities: withCaptureCapabilities(
      { ...capabilities, ...input.capabilities },
      deps.psp.adapter(provider)?.manualCapture,
    ),
    validation: { ...check, name_match_status: matchNames(organization?.legal_name ?? null, check.account_name) },
    ...(found.warnings && { warnings: found.warnings }),
  };
}

type Needs = Pick<Deps, 'connections' | 'storedTotals' | 'psp' | 'clock' | 'config' | 'pspDeadline'>;

/** Asks the PSP whether it still accepts the stored credentials, and for the account's name. */
export async function validateConnection({ id }: { readonly id: string }, caller: Caller, deps: Needs) {
  const checked = await loadConnection({ id }, caller, deps);
  const { check, ...warnings } = await checkCredentials(() => deps.psp.open(checked, deps.pspDeadline()));
  const { organization } = await caller.routingData();
  const name_match_status = matchNames(organization?.legal_name ?? null, check.account_name);
  const validated = await changeConnection(
    id,
    'validated',
    (stored) => {
      const current = assertLive(stored);
      if (current.sealed_credentials !== checked.sealed_credentials)
        throw new AppError('write_conflict', `The credentials of ${id} were changed by another request. Try again.`);
      return recordValidation(current, { ...check, name_match_status }, deps.clock.now());
    },
    caller,
    deps,
  );
  return { ...(await withCallTotals(validated, deps)), ...warnings };
}
