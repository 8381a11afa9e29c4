import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { declineFor, type StripeDecline } from '#lib/simulators/stripe/declines.ts';
import type { StripeError } from '#lib/simulators/stripe/errors.ts';
import type { StoredIntent } from '#lib/simulators/stripe/objects.ts';
import { askCustomer, fail, process, succeed } from '#lib/simulators/stripe/outcomes.ts';

type Attempted = { readonly intent: StoredIntent; readonly error?: StripeError };

/**
 * `absent`: the customer is not there to authenticate; `strict`: the merchant wants a decline rather than a next
 * action.
 */
export type Presence = 'present' | 'absent' | 'strict';

type Outcome =
  | { readonly kind: 'succeed' | 'process' | 'ask' }
  | { readonly kind: 'decline'; readonly decline: StripeDecline };

const NOT_HANDLED: StripeDecline = {
  ...declineFor('authentication_required'),
  decline_code: 'authentication_not_handled',
};

/** An absent customer is never asked: the try is declined for that reason. */
const wantsCustomer = (presence: Presence): Outcome => {
  if (presence === 'present') return { kind: 'ask' };
  return { kind: 'decline', decline: presence === 'absent' ? declineFor('authentication_required') : NOT_HANDLED };
};

/** What a scenario orders comes before what the payment method would do. */
function ordered(behaviour: Behaviour | null, presence: Presence): Outcome | undefined {
  if (behaviour?.kind === 'approve' || behaviour?.kind === 'wrong_amount') return { kind: 'succeed' };
  if (behaviour?.kind === 'decline') return { kind: 'decline', decline: declineFor(behaviour.code) };
  if (behaviour?.kind === 'requires_action') return wantsCustomer(presence);
  if (behaviour?.kind === 'pending') return { kind: 'process' };
  return undefined;
}

function natural({ notes: { method } }: StoredIntent, presence: Presence, authenticated: boolean): Outcome {
  const asks = method?.authenticate === 'on_session' ? presence !== 'absent' : method?.authenticate;
  if (asks && !authenticated) return wantsCustomer(presence);
  if (method?.decline) return { kind: 'decline', decline: method.decline };
  return { kind: method?.pending ? 'process' : 'succeed' };
}

/** One try to charge. A decline is an outcome too: it is written down like any other. */
export function attempt(
  work: Work,
  intent: StoredIntent,
  {
    behaviour,
    presence,
    authenticated = false,
  }: { readonly behaviour: Behaviour | null; readonly presence: Presence; readonly authenticated?: boolean },
): Attempted {
  const outcome = ordered(behaviour, presence) ?? natural(intent, presence, authenticated);
  if (outcome.kind === 'decline') return fail(work, intent, outcome.decline);
  if (outcome.kind === 'ask') return { intent: askCustomer(work, intent) };
  if (outcome.kind === 'process') return { intent: process(work, intent) };
  return { intent: succeed(work, intent, intent.body.amount + (behaviour?.kind === 'wrong_amount' ? 1 : 0)) };
}
