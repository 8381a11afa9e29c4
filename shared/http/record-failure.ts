import type { ApiEvent, ApiResult, RequestState } from '#shared/http/request.ts';
import type { ErrorCode } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * What is not recorded: that a person must prove again who they are is a step of what they do, and where the store has
 * failed, it would be asked once more.
 */
const NOT_RECORDED: ReadonlySet<string> = new Set<ErrorCode>([
  'fresh_proof_required',
  'service_unavailable',
  'storage_full',
]);

/**
 * Records a failed request for the organization whose credential it had. Loaded at the first failure of a process; it
 * imports nothing, or else what it shares with the rest would be in a file of its own that each payment loads. The
 * response is sent whether or not this works.
 */
export async function recordFailure(
  event: ApiEvent,
  { credential, route, requestId, clientRequestId, at }: RequestState,
  { statusCode = 500, body = '{}' }: ApiResult,
  { failureLog, log }: Pick<Deps, 'failureLog' | 'log'>,
): Promise<void> {
  // Outside any organization, a session has its user's id there.
  if (!credential?.orgId.startsWith('org_') || credential.kind === 'anyone' || credential.kind === 'workflow') return;
  const { code } = JSON.parse(body) as { readonly code?: string };
  if (code === undefined || NOT_RECORDED.has(code)) return;
  const failed = {
    request_id: requestId,
    client_request_id: clientRequestId ?? null,
    created_at: at.toISOString(),
    method: event.requestContext.http.method,
    route: route.path,
    resource_id: ownId(event.pathParameters?.id),
    status: statusCode,
    code,
    credential_id: credential.id,
    credential_kind: credential.kind,
  };
  try {
    await (await failureLog()).record(credential.orgId, failed);
  } catch (error) {
    log.warn('failed_request_not_recorded', { error });
  }
}

/** Any other text in a path may be a token, or name a person. */
const ownId = (id = ''): string | null => (/^[a-z]{2,5}_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(id) ? id : null);
