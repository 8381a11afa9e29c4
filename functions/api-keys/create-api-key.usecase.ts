import type { CreateApiKeyInput } from '#functions/api-keys/api-keys.schema.ts';
import { refuseUnverified } from '#shared/domain/accounts/kyc.rules.ts';
import { effectivePlan, limitOf, refuseBeyond } from '#shared/domain/accounts/plan.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { issueApiKey } from '#shared/services/accounts/issue-api-key.service.ts';

type Needs = Pick<Deps, 'keys' | 'config' | 'clock'>;

/** The one answer that ever holds the key's text. */
export async function createApiKey({ name, kind, scopes }: CreateApiKeyInput, caller: Caller, deps: Needs) {
  const beyond = scopes.filter((scope) => !caller.scopes.includes(scope));
  const who = caller.kind === 'session' ? 'role' : 'key';
  if (beyond.length > 0)
    throw new AppError('scope_escalation', `This ${who} lacks ${beyond.join(', ')} and can't grant what it lacks.`);
  if (deps.config.stage === 'live') await refuseLiveKey(caller, deps);

  const { apiKey, text } = await issueApiKey({ org_id: caller.orgId, name, kind, scopes }, caller.operation, deps);
  return { ...apiKey, key: text.reveal() };
}

/** A retry after a crash may find the key that it made itself, which has passed the plan's limit before. */
async function refuseLiveKey({ orgId, operation, setup }: Caller, { keys, config, clock }: Needs): Promise<void> {
  const { organization } = await setup();
  refuseUnverified(organization);
  const plan = effectivePlan(organization, config.stage);
  if (limitOf(plan, 'api_keys') === null) return;
  const made = await keys.list(orgId);
  if (!made.some(({ id }) => id === operationId(operation, 'key')))
    refuseBeyond(plan, 'api_keys', made.length, clock.now());
}
