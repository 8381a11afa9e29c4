import { notFound } from '#lib/simulators/checkout/answers.ts';
import {
  isAction,
  isPage,
  isPayment,
  type StoredAction,
  type StoredPage,
  type StoredPayment,
} from '#lib/simulators/checkout/objects.ts';
import type { Stored } from '#lib/simulators/frame/object-store.ts';
import { ownOf } from '#lib/simulators/frame/own.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';

type Session = Stored<{ readonly payment: string }>;
const isSession = (stored: Stored): stored is Session => stored.kind === 'session';

/** By its own id, or by that of the session which the customer came back with. */
export function findPayment(work: Work, id: string): StoredPayment {
  const found = ownOf(work, ownOf(work, id, isSession)?.body.payment ?? id, isPayment);
  if (!found) throw notFound();
  return found;
}

export function findPage(work: Work, id: string): StoredPage {
  const found = ownOf(work, id, isPage);
  if (!found) throw notFound();
  return found;
}

/** Newest first. */
export const actionsOf = (work: Work, { id }: StoredPayment): readonly StoredAction[] =>
  work.objects.childrenOf(id).filter(isAction).toReversed();
