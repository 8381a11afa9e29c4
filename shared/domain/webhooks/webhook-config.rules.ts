import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import { HOUR, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** How long a replaced secret still signs deliveries, beside the new one. */
export const PREVIOUS_SECRET_VALID = 24 * HOUR;

/** Each valid one lengthens the signature header, which servers limit. */
const MAX_PREVIOUS_SECRETS = 3;

type ConfigInput = Pick<WebhookConfig, 'url' | 'events' | 'enabled'>;
type ConfigDraft = Pick<WebhookConfig, 'org_id' | 'sealed_secret' | 'version' | 'audits' | 'created_at'> &
  Partial<WebhookConfig>;

/** Replaced secrets that still sign, newest first. */
export const validPreviousSecrets = ({ former = [] }: Pick<WebhookConfig, 'former'>, at: Date) =>
  former.filter(({ until }) => until > at.toISOString());

/** The starting point of a first configuration. */
export const newConfig = (org_id: string, sealed_secret: string, at: Date): ConfigDraft => ({
  org_id,
  sealed_secret,
  version: 0,
  audits: 0,
  created_at: at.toISOString(),
});

/** Applies a save. Enabling it clears the failures. Disabling it is recorded as done by a person. */
export function applyConfig(current: ConfigDraft, { url, events, enabled }: ConfigInput, at: Date): WebhookConfig {
  const { failing_since, replays_failing_since, disabled_at, disabled_reason: _, former: __, ...unchanged } = current;
  const since = current.enabled === false ? disabled_at : at.toISOString();
  const failing = {
    ...(failing_since !== undefined && { failing_since }),
    ...(replays_failing_since !== undefined && { replays_failing_since }),
  };
  const off = { ...failing, ...(since !== undefined && { disabled_at: since }) };
  return {
    ...unchanged,
    url,
    events,
    enabled,
    ...(!enabled && off),
    ...previousSecrets(validPreviousSecrets(current, at)),
    ...nextVersion(current, at),
  };
}

/** The new secret signs at once. The previous one signs beside it for a day, unless the caller revokes it now. */
export function withNewSecret(
  current: WebhookConfig,
  sealed_secret: string,
  expirePrevious: boolean,
  at: Date,
): WebhookConfig {
  const { former: _, ...kept } = current;
  const valid = validPreviousSecrets(current, at);
  if (!expirePrevious && valid.length >= MAX_PREVIOUS_SECRETS) throw tooManySecrets(valid.at(-1)?.until ?? '');
  const replaced = { sealed_secret: current.sealed_secret, until: plus(at, PREVIOUS_SECRET_VALID).toISOString() };
  return {
    ...kept,
    sealed_secret,
    ...previousSecrets(expirePrevious ? [] : [replaced, ...valid]),
    ...nextVersion(current, at),
  };
}

const nextVersion = ({ version, audits }: ConfigDraft, at: Date) => ({
  version: version + 1,
  audits: audits + 1,
  updated_at: at.toISOString(),
});

const previousSecrets = (former: NonNullable<WebhookConfig['former']>) => (former.length > 0 ? { former } : {});

const tooManySecrets = (until: string): AppError =>
  new AppError(
    'secret_rotation_limit',
    `${MAX_PREVIOUS_SECRETS} previous secrets are still valid. Wait until ${until}, when the oldest expires, ` +
      'or send expire_previous: true to revoke all of them now.',
  );
