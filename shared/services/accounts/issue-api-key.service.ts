import { type ApiKey, keyText } from '#shared/domain/accounts/api-key.model.ts';
import { creatorOf, describeKey, organizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import { type Operation, operationId } from '#shared/kernel/operation.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps, ServiceConfig } from '#shared/ports/deps.ts';
import type { KeyCreation } from '#shared/ports/keys.port.ts';

type Issuer = Pick<Caller, 'credentialId' | 'actorId' | 'person'>;
type Needs = Pick<Deps, 'keys'> & { readonly config: Pick<ServiceConfig, 'stage' | 'hashSecret'> };
type IssueKeyInput = Pick<ApiKey, 'org_id' | 'name' | 'kind' | 'scopes' | 'agent'>;

/** Commands of the service itself create keys too: for no organization's key or member. */
export const BY_SYSTEM = 'system';

/**
 * Issues a key. The caller has checked the permission, and is checked again as the key is written. The id derives from
 * the operation, and the text from `bytes`, which a repeat passes again: so a retry after a crash issues the same key,
 * not a second one that nobody knows.
 */
export async function issueApiKey(
  input: IssueKeyInput,
  operation: Operation,
  bytes: Buffer,
  { keys, config }: Needs,
  issuer?: Issuer,
): Promise<{ readonly apiKey: ApiKey; readonly text: Secret }> {
  const { org_id, name, kind, scopes, agent } = input;
  const apiKey: ApiKey = {
    id: operationId(operation, 'key'),
    org_id,
    name,
    kind,
    scopes,
    created_at: operation.at.toISOString(),
    created_by: issuer ? creatorOf(issuer) : BY_SYSTEM,
    ...(agent && { agent }),
  };
  const text = keyText({ stage: config.stage, kind, orgId: org_id }, bytes, config.hashSecret);
  const created = await keys.create(apiKey, sha256Hex(text), issuer && creationBy(issuer, apiKey, operation));
  if (created === 'creator_gone') throw creatorGone(issuer);
  return { apiKey, text: new Secret(text) };
}

function creationBy(issuer: Issuer, apiKey: ApiKey, operation: Operation): KeyCreation {
  const { credentialId, person } = issuer;
  const audit = organizationAuditEntry(describeKey('api_key_created', apiKey), issuer, operation);
  if (!person) return { creator: { keyId: credentialId }, audit };
  if (!person.role) throw new Error('The middleware let a caller pass who is not a member.');
  const member = { user_id: person.userId, role: person.role };
  return { creator: { member, sessionHash: person.sessionHash }, audit };
}

const creatorGone = (issuer: Issuer | undefined): AppError =>
  issuer?.person
    ? new AppError(
        'invalid_session',
        'Your session or your role has just ended, so no API key was created. Sign in again.',
      )
    : new AppError('invalid_api_key', 'The API key of this request has just been revoked, so no API key was created.');
