import { keyText } from '#shared/domain/accounts/api-key.model.ts';
import type { Scope } from '#shared/domain/reference/access.catalog.ts';
import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { derivedId, keyedHash } from '#shared/kernel/ids.ts';
import { Secret } from '#shared/kernel/secret.ts';

/**
 * The organization of the probe has the same id in every stage, so that whoever counts business can leave it out. It
 * exists once `npm run bootstrap -- --probe` has created it.
 */
export const PROBE_ORGANIZATION = derivedId('organization', new Date(0), 'probe');

/** What its key may do: no more than each run needs. */
export const PROBE_SCOPES: readonly Scope[] = [
  'connections:read',
  'payments:read',
  'payments:write',
  'webhooks:read',
  'webhooks:write',
];

/** Where the probe's own events are delivered. */
export const PROBE_PATH = '/health/probe';

/** Until it is set up the probe waits. Afterwards whatever stops it is an alarm. */
export const PROBE_STATES = ['set_up', 'not_set_up'] as const;

/** The event that must arrive. */
export const PROBE_EVENT = 'payment.canceled' satisfies EventType;

type Secrets = { readonly stage: Stage; readonly hashSecret: string };

/** The bytes of the probe's API key. They derive from the hash secret, so that the key is stored nowhere. */
export const probeKeyBytes = ({ stage, hashSecret }: Secrets): Buffer => keyedHash(hashSecret, stage, 'probe key');

export const probeKey = (secrets: Secrets): Secret =>
  new Secret(
    keyText(
      { stage: secrets.stage, kind: 'secret', orgId: PROBE_ORGANIZATION },
      probeKeyBytes(secrets),
      secrets.hashSecret,
    ),
  );

/**
 * A charge on the sandbox, by provider: a documented test method that is paid at once, or else the provider's own page,
 * which shows that it takes the connection's credentials. Others are not charged.
 */
export const TEST_CHARGES: Readonly<Record<string, { readonly currency: string; readonly token?: string }>> = {
  stripe: { currency: 'EUR', token: 'pm_card_visa' },
  adyen: { currency: 'EUR' },
  checkout: { currency: 'EUR' },
  mollie: { currency: 'EUR' },
  paypal: { currency: 'EUR' },
  paystack: { currency: 'NGN' },
  flutterwave: { currency: 'NGN' },
  razorpay: { currency: 'INR' },
};
