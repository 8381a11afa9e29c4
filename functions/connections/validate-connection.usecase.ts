import { storedConnection } from '#functions/connections/stored-connection.ts';
import { tryCredentials } from '#functions/connections/try-credentials.ts';
import { withCalls } from '#functions/connections/with-calls.ts';
import { recordTrial } from '#shared/domain/connection.rules.ts';
import { matchNames } from '#shared/domain/name-match.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'connections' | 'totals' | 'psp' | 'clock' | 'pspDeadline'>;

const ROUNDS = 10;

/** Asks the PSP whether it still takes the stored credentials, and whose account they open. */
export async function validateConnection({ id }: { readonly id: string }, caller: Caller, deps: Needs) {
  let current = await storedConnection({ id }, caller, deps);
  const tried = current.sealed_credentials;
  const trial = await tryCredentials(() => deps.psp.open(current, deps.pspDeadline()));
  const { organization } = await caller.setup();
  const name_match_status = matchNames(organization?.legal_name ?? null, trial.account_name);

  for (let round = 0; round < ROUNDS && current.sealed_credentials === tried; round += 1) {
    const next = recordTrial(current, { ...trial, name_match_status }, deps.clock.now());
    if (await deps.connections.save(next)) return withCalls(next, deps);
    current = await storedConnection({ id }, caller, deps);
  }
  throw new AppError('write_conflict', `Others are changing ${id} right now. Please try again.`);
}
