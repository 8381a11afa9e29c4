import type { CreateApiKeyInput } from '#functions/api-keys/api-keys.schema.ts';
import { makeApiKey } from '#functions/api-keys/make-api-key.usecase.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The one answer that ever holds the key's text. */
export async function createApiKey({ name, kind, scopes }: CreateApiKeyInput, caller: Caller, deps: Pick<Deps, 'keys' | 'config'>) {
  const beyond = scopes.filter((scope) => !caller.scopes.includes(scope));
  if (beyond.length > 0) throw new AppError('scope_escalation', `This key lacks ${beyond.join(', ')} and can't grant what it lacks.`);
  if (deps.config.stage === 'live') await refuseUnverified(caller);

  const { apiKey, text } = await makeApiKey({ org_id: caller.orgId, name, kind, scopes }, caller.operation, deps);
  return { ...apiKey, key: text.reveal() };
}

async function refuseUnverified(caller: Caller): Promise<void> {
  const { organization } = await caller.setup();
  if (organization?.kyc === 'approved') return;
  throw new AppError('kyc_required', "Live keys need the organization's identity verification to be approved.");
}
