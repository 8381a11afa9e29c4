import { changeConnection } from '#functions/connections/change-connection.ts';
import { needLive, storedConnection } from '#functions/connections/stored-connection.ts';
import { tryCredentials } from '#functions/connections/try-credentials.ts';
import { withCalls } from '#functions/connections/with-calls.ts';
import { recordTrial } from '#shared/domain/routing/connection.rules.ts';
import { matchNames } from '#shared/domain/routing/name-match.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'connections' | 'totals' | 'psp' | 'clock' | 'pspDeadline'>;

/** Asks the PSP whether it still takes the stored credentials, and whose account they open. */
export async function validateConnection({ id }: { readonly id: string }, caller: Caller, deps: Needs) {
  const tried = await storedConnection({ id }, caller, deps);
  const trial = await tryCredentials(() => deps.psp.open(tried, deps.pspDeadline()));
  const { organization } = await caller.setup();
  const name_match_status = matchNames(organization?.legal_name ?? null, trial.account_name);
  const validated = await changeConnection(
    id,
    'validated',
    (stored) => {
      const current = needLive(stored);
      if (current.sealed_credentials !== tried.sealed_credentials)
        throw new AppError('write_conflict', `${id} has other credentials by now. Please try again.`);
      return recordTrial(current, { ...trial, name_match_status }, deps.clock.now());
    },
    caller,
    deps,
  );
  return withCalls(validated, deps);
}
