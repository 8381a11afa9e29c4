import { readKey } from '#shared/domain/accounts/api-key.model.ts';
import { type ApiEvent, header, type RequestState, sourceIp } from '#shared/http/request-state.ts';
import { readAhead } from '#shared/http/setup.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { plainHash } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type KeyNeeds = Pick<Deps, 'keys' | 'rates' | 'config' | 'organizations'>;

type GivenKey = { readonly text: string; readonly form: 'service' | 'bearer' };

/** The key in either form; undefined where there is none. */
export function keyIn(event: ApiEvent): GivenKey | undefined {
  const service = header(event, 'x-service-key');
  if (service) return { text: service, form: 'service' };
  const bearer = /^Bearer\s+(\S+)$/i.exec(header(event, 'authorization') ?? '');
  return bearer?.[1] ? { text: bearer[1], form: 'bearer' } : undefined;
}

/** Finds the key and counts the request, in one store call. False for one that is unknown or revoked. */
export async function identifyKey(
  given: GivenKey,
  event: ApiEvent,
  state: RequestState,
  deps: KeyNeeds,
): Promise<boolean> {
  const parts = readKey(given.text);
  if (!parts || parts.stage !== deps.config.stage) return false;
  readAhead(event, parts.orgId, deps);
  const known =
    parts.kind === 'public'
      ? await identifyPublic(given.text, event, state, deps)
      : await identifySecret(given.text, state, deps);
  if (known) checkOrganization(event, state, given.form);
  return known;
}

async function identifySecret(text: string, state: RequestState, { keys }: KeyNeeds): Promise<boolean> {
  const found = await keys.authenticate(plainHash(text), state.route.rate, state.at);
  if (!found) return false;
  const { id, org_id, kind, scopes } = found.key;
  state.credential = { id, orgId: org_id, kind, scopes };
  state.rate = found.rate;
  if (found.full) state.full = found.full;
  return true;
}

async function identifyPublic(
  text: string,
  event: ApiEvent,
  state: RequestState,
  { keys, rates }: KeyNeeds,
): Promise<boolean> {
  const key = await keys.find(plainHash(text), state.at);
  if (!key) return false;
  const counted = await rates.countAddress(`${key.id} ${sourceIp(event)}`, state.route.rate, state.at);
  state.credential = { id: key.id, orgId: key.org_id, kind: 'public', scopes: [] };
  state.rate = counted.rate;
  if (counted.full) state.full = counted.full;
  return true;
}

/** The refusal of a key that belongs to the other stage, if it does. */
export function strayKey(given: GivenKey, { config }: KeyNeeds): AppError | undefined {
  const parts = readKey(given.text);
  if (!parts || parts.stage === config.stage) return undefined;
  return new AppError('wrong_stage', `This is a ${parts.stage} key; use it at ${config.otherStageUrl}.`);
}

function checkOrganization(event: ApiEvent, state: RequestState, form: GivenKey['form']): void {
  const named = header(event, 'x-org-id');
  if (form === 'service' && !named)
    throw new AppError('org_id_required', 'Name the organization in the header X-Org-Id.');
  if (named === undefined) return;
  if (named !== state.credential?.orgId)
    throw new AppError('org_mismatch', 'This key belongs to another organization than X-Org-Id names.');
}
