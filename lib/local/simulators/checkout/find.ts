import { notFound } from '#lib/local/simulators/checkout/answers.ts';
import { isAction, isPage, isPayment, type StoredAction, type StoredPage, type StoredPayment } from '#lib/local/simulators/checkout/objects.ts';
import type { Stored } from '#lib/local/simulators/frame/object-store.ts';
import type { Work } from '#lib/local/simulators/frame/provider.port.ts';

/** What belongs to another account is not there. */
const own = (work: Work, id: string): Stored | undefined => {
  const found = work.objects.get(id);
  return found?.account === work.account ? found : undefined;
};

type Session = Stored<{ readonly payment: string }>;
const isSession = (stored: Stored): stored is Session => stored.kind === 'session';

/** By its own id, or by that of the session which the customer came back with. */
export function findPayment(work: Work, id: string): StoredPayment {
  const named = own(work, id);
  const found = named && isSession(named) ? own(work, named.body.payment) : named;
  if (!found || !isPayment(found)) throw notFound();
  return found;
}

export function findPage(work: Work, id: string): StoredPage {
  const found = own(work, id);
  if (!found || !isPage(found)) throw notFound();
  return found;
}

/** Newest first. */
export const actionsOf = (work: Work, { id }: StoredPayment): readonly StoredAction[] => work.objects.childrenOf(id).filter(isAction).toReversed();
