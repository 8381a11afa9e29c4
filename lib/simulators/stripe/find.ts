import type { Stored } from '#lib/simulators/frame/object-store.ts';
import { ownOf } from '#lib/simulators/frame/own.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { noSuch } from '#lib/simulators/stripe/errors.ts';
import {
  isCharge,
  isIntent,
  isRefund,
  isSession,
  type StoredCharge,
  type StoredIntent,
  type StoredRefund,
  type StoredSession,
} from '#lib/simulators/stripe/objects.ts';

/** What a missing object is called in the refusal, and which status it has. */
type Naming = { readonly kind: string; readonly param: string; readonly status?: 400 | 404 };

function find<T extends Stored>(
  work: Work,
  id: string,
  is: (stored: Stored) => stored is T,
  { kind, param, status }: Naming,
): T {
  const stored = ownOf(work, id, is);
  if (!stored) throw noSuch(kind, id, param, status);
  return stored;
}

export const findIntent = (work: Work, id: string, param = 'intent', status: 400 | 404 = 404): StoredIntent =>
  find(work, id, isIntent, { kind: 'payment_intent', param, status });

export const findCharge = (work: Work, id: string, param = 'charge', status: 400 | 404 = 404): StoredCharge =>
  find(work, id, isCharge, { kind: 'charge', param, status });

export const findRefund = (work: Work, id: string): StoredRefund =>
  find(work, id, isRefund, { kind: 'refund', param: 'id' });

export const findSession = (work: Work, id: string): StoredSession =>
  find(work, id, isSession, { kind: 'checkout.session', param: 'session' });
