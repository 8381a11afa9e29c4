import type { MiddlewareObj } from '@middy/core';
import { hashOfKey, readKey } from '#shared/domain/api-key.model.ts';
import { type ApiEvent, type ApiResult, header, type RequestState, sourceIp, stateOf } from '#shared/http/request-state.ts';
import { setupOf } from '#shared/http/setup.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'keys' | 'config' | 'organizations'>;

/** Finds the credential in either form and counts the request; for a key that is one store call. */
export const authenticate = (deps: Needs): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: async ({ event }) => {
    const state = stateOf(event);
    const given = credentialIn(event);
    const parts = given && readKey(given.text);
    const wrongStage = parts && parts.stage !== deps.config.stage;
    if (parts && !wrongStage && state.route.prefetch) void setupOf(event, parts.orgId, deps);
    const found = given && parts && !wrongStage ? await identify(given.text, parts.kind === 'public', event, state, deps) : false;
    if (!given || !found) return refuse(event, state, deps, wrongStage ? parts.stage : undefined);
    checkOrganization(event, state, given.form);
  },
});

type Given = { readonly text: string; readonly form: 'service' | 'bearer' };

function credentialIn(event: ApiEvent): Given | undefined {
  const service = header(event, 'x-service-key');
  if (service) return { text: service, form: 'service' };
  const bearer = /^Bearer\s+(\S+)$/i.exec(header(event, 'authorization') ?? '');
  return bearer?.[1] ? { text: bearer[1], form: 'bearer' } : undefined;
}

async function identify(text: string, isPublic: boolean, event: ApiEvent, state: RequestState, { keys }: Needs): Promise<boolean> {
  const hash = hashOfKey(text);
  if (!isPublic) {
    const found = await keys.authenticate(hash, state.route.rate, state.at);
    if (!found) return false;
    state.credential = { id: found.key.id, orgId: found.key.org_id, kind: found.key.kind, scopes: found.key.scopes };
    state.rate = found.rate;
    if (found.full) state.full = found.full;
    return true;
  }
  const key = await keys.find(hash);
  if (!key) return false;
  const counted = await keys.countAddress(`${key.id} ${sourceIp(event)}`, state.route.rate, state.at);
  state.credential = { id: key.id, orgId: key.org_id, kind: 'public', scopes: [] };
  state.rate = counted.rate;
  if (counted.full) state.full = counted.full;
  return true;
}

/** Without a valid credential the address counts, so that guessing keys is limited too. */
async function refuse(event: ApiEvent, state: RequestState, deps: Needs, wrongStage: string | undefined): Promise<never> {
  const counted = await deps.keys.countAddress(sourceIp(event), 'reads', state.at);
  state.rate = counted.rate;
  if (counted.full) throw new AppError('rate_limited', 'Too many requests from this address.', counted.full);
  if (wrongStage) throw new AppError('wrong_stage', `This is a ${wrongStage} key; use it at ${deps.config.otherStageUrl}.`);
  throw new AppError('invalid_api_key', 'The API key is missing, unknown or revoked. Send it as X-Service-Key or as a Bearer token.');
}

function checkOrganization(event: ApiEvent, state: RequestState, form: Given['form']): void {
  const named = header(event, 'x-org-id');
  if (named === undefined) {
    if (form === 'service') throw new AppError('org_id_required', 'Name the organization in the header X-Org-Id.');
    return;
  }
  if (named !== state.credential?.orgId) throw new AppError('org_mismatch', 'This key belongs to another organization than X-Org-Id names.');
}
