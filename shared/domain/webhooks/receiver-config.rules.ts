import type { ReceiverConfig } from '#shared/domain/webhooks/receiver-config.model.ts';
import { HOUR, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** How long a replaced secret goes on signing. */
const FORMER_VALID = 24 * HOUR;

/** Each valid one lengthens the signature header, which servers limit. */
const MOST_FORMER = 3;

type Wish = Pick<ReceiverConfig, 'url' | 'events' | 'enabled'>;
type Start = Pick<ReceiverConfig, 'org_id' | 'sealed_secret' | 'version' | 'audits' | 'created_at'> &
  Partial<ReceiverConfig>;

/** Replaced secrets that still sign, newest first. */
export const validFormer = ({ former = [] }: Pick<ReceiverConfig, 'former'>, at: Date) =>
  former.filter(({ until }) => until > at.toISOString());

/** The starting point of a first configuration. */
export const unconfigured = (org_id: string, sealed_secret: string, at: Date): Start => ({
  org_id,
  sealed_secret,
  version: 0,
  audits: 0,
  created_at: at.toISOString(),
});

/** Applies a save. Turning it on clears the failure state; turning it off is recorded as done by people. */
export function configured(current: Start, { url, events, enabled }: Wish, at: Date): ReceiverConfig {
  const { failing_since, replays_failing_since, disabled_at, disabled_reason: _, former: __, ...kept } = current;
  const since = current.enabled === false ? disabled_at : at.toISOString();
  const failing = {
    ...(failing_since !== undefined && { failing_since }),
    ...(replays_failing_since !== undefined && { replays_failing_since }),
  };
  const off = { ...failing, ...(since !== undefined && { disabled_at: since }) };
  return {
    ...kept,
    url,
    events,
    enabled,
    ...(!enabled && off),
    ...formerOf(validFormer(current, at)),
    ...next(current, at),
  };
}

/** The new secret signs at once, the previous one beside it for a day, unless it is revoked immediately. */
export function rotated(
  current: ReceiverConfig,
  sealed_secret: string,
  expirePrevious: boolean,
  at: Date,
): ReceiverConfig {
  const { former: _, ...kept } = current;
  const valid = validFormer(current, at);
  if (!expirePrevious && valid.length >= MOST_FORMER) throw tooMany(valid.at(-1)?.until ?? '');
  const replaced = { sealed_secret: current.sealed_secret, until: plus(at, FORMER_VALID).toISOString() };
  return { ...kept, sealed_secret, ...formerOf(expirePrevious ? [] : [replaced, ...valid]), ...next(current, at) };
}

const next = ({ version, audits }: Start, at: Date) => ({
  version: version + 1,
  audits: audits + 1,
  updated_at: at.toISOString(),
});

const formerOf = (former: NonNullable<ReceiverConfig['former']>) => (former.length > 0 ? { former } : {});

const tooMany = (until: string): AppError =>
  new AppError(
    'secret_rotation_limit',
    `${MOST_FORMER} former secrets are still valid. Wait until ${until}, when the oldest runs out, or send expire_previous: true to end all of them now.`,
  );
