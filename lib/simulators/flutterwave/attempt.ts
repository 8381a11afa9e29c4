import type { StoredTransaction } from '#lib/simulators/flutterwave/objects.ts';
import { change, fail, succeed } from '#lib/simulators/flutterwave/transactions.ts';
import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** What would come of a charge if no scenario said otherwise. */
export type Natural = 'succeed' | 'page' | 'otp' | 'time' | { readonly decline: FailureCode };

/** One try to charge. What a scenario orders comes before what the method would do. */
export function attempt(
  work: Work,
  stored: StoredTransaction,
  behaviour: Behaviour | null,
  natural: Natural,
): StoredTransaction {
  switch (behaviour?.kind) {
    case 'approve':
      return succeed(work, stored);
    case 'wrong_amount':
      return succeed(work, stored, 1);
    case 'decline':
      return fail(work, stored, behaviour.code);
    case 'requires_action':
      return change(work, stored, {}, { waitsFor: 'page' });
    case 'pending':
      return change(work, stored, {}, { waitsFor: 'time' });
    default:
      return byNature(work, stored, natural);
  }
}

function byNature(work: Work, stored: StoredTransaction, natural: Natural): StoredTransaction {
  if (natural === 'succeed') return succeed(work, stored);
  return typeof natural === 'object'
    ? fail(work, stored, natural.decline)
    : change(work, stored, {}, { waitsFor: natural });
}
