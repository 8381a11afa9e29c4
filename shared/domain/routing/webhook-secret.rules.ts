import type { FieldError } from '#shared/kernel/errors.ts';

/** A shorter secret can be guessed, and then anybody can send callbacks that count as the provider's. */
export const MIN_WEBHOOK_SECRET_LENGTH = 16;

/** Who chooses a connection's webhook secret, if not the provider. `public`: what stands in its place is no secret. */
export type WebhookSecretOrigin = 'merchant' | 'public';

type Credentials = Readonly<Record<string, unknown>>;

/** What every secret of a provider begins with says nothing to those who guess it. */
const KNOWN_PREFIX = /^(?:whsec|sk_live|sk_test)_/;

const isWeak = (secret: string): boolean => secret.replace(KNOWN_PREFIX, '').length < MIN_WEBHOOK_SECRET_LENGTH;

const secretsIn = ({ webhook_secret }: Credentials): readonly string[] =>
  [webhook_secret].flat().filter((secret) => typeof secret === 'string');

/** Errors of a secret that the merchant chose too short. A former one may be so, while another replaces it. */
export function webhookSecretErrors(credentials: Credentials, origin?: WebhookSecretOrigin): readonly FieldError[] {
  const secrets = secretsIn(credentials);
  if (origin !== 'merchant' || secrets.length === 0 || !secrets.every(isWeak)) return [];
  const message =
    `Must have at least ${MIN_WEBHOOK_SECRET_LENGTH} characters, or others can guess it and send you false callbacks. ` +
    'Choose a longer one at the provider, then enter it here.';
  return [{ path: 'credentials.webhook_secret', message }];
}

/** What a merchant should change, though the provider may have given it so, or an earlier version has accepted it. */
export function webhookSecretWarnings(credentials: Credentials, origin?: WebhookSecretOrigin): readonly string[] {
  if (origin === 'public' || !secretsIn(credentials).some(isWeak)) return [];
  return [
    `A webhook secret has fewer than ${MIN_WEBHOOK_SECRET_LENGTH} characters, so that others may guess it and send you ` +
      'false callbacks. Replace it at the provider, then enter the new one here.',
  ];
}
