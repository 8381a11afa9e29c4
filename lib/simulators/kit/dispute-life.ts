import { DISPUTE_KIND } from '#lib/simulators/kit/disputes.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { DisputeControls, NewDispute, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { DisputeState } from '#lib/simulators/simulators.port.ts';

/** What every provider knows of a dispute; each shows it in its own words. `amount` is in ISO minor units. */
export type Dispute = {
  readonly state: DisputeState;
  readonly amount: number;
  readonly currency: string;
  readonly reason: NewDispute['reason'];
  /** Milliseconds of the service clock. */
  readonly openedAt: number;
  readonly answerBy: number;
  readonly changedAt: number;
  readonly evidence: Readonly<Record<string, unknown>>;
};

/** `parent` is the charge. */
export type StoredDispute = StoredObject<Dispute>;

export const isDispute = (stored: StoredObject): stored is StoredDispute => stored.kind === DISPUTE_KIND;

type Habits = {
  readonly newId: () => string;
  readonly timeToAnswerMs: number;
  /** The currency of a charge. Undefined if the object is none. */
  readonly currencyOf: (charged: StoredObject) => string | undefined;
  /** Whether it knows questions before a dispute. If not, they are disputes. */
  readonly inquiries?: true;
  /** Whether the bank may go on after a dispute that was won. */
  readonly reopens?: true;
  /** Its money is taken at the end. By default it is withheld from the beginning. */
  readonly withholdsWhenLost?: true;
  /** Sends the events of what happened. */
  readonly tell: (work: UnitOfWork, dispute: StoredDispute, before: DisputeState | undefined) => void;
};

const isOpen = (state: DisputeState): boolean => state === 'inquiry' || state === 'needs_response';

const TAKEN: ReadonlySet<DisputeState> = new Set(['lost', 'accepted', 'expired']);

/** Inquiries withhold nothing; neither does a dispute that was won. Some providers take the money at the end only. */
function withheldOf({ state, amount }: Dispute, whenLost: boolean): number {
  if (TAKEN.has(state)) return amount;
  return whenLost || state === 'inquiry' || state === 'won' ? 0 : amount;
}

function put(
  { tell, withholdsWhenLost }: Habits,
  work: UnitOfWork,
  dispute: StoredDispute,
  before: DisputeState | undefined,
): StoredDispute {
  const { body } = dispute;
  const stored: StoredDispute = { ...dispute, due: isOpen(body.state) ? body.answerBy : null };
  work.objects.put(stored);
  const withheld = withheldOf(body, withholdsWhenLost === true);
  work.recordDispute({ id: stored.id, paymentId: stored.paymentId, withheld });
  tell(work, stored, before);
  return stored;
}

const change = (habits: Habits, work: UnitOfWork, dispute: StoredDispute, fields: Partial<Dispute>): StoredDispute =>
  put(
    habits,
    work,
    { ...dispute, body: { ...dispute.body, ...fields, changedAt: work.now.getTime() } },
    dispute.body.state,
  );

const opener =
  (habits: Habits): DisputeControls['open'] =>
  (charged, { amount, reason, inquiry }, work) => {
    const currency = habits.currencyOf(charged);
    if (currency === undefined) return undefined;
    const { account, paymentId, id: parent } = charged;
    const now = work.now.getTime();
    const times = { openedAt: now, changedAt: now, answerBy: now + habits.timeToAnswerMs };
    const state: DisputeState = inquiry && habits.inquiries ? 'inquiry' : 'needs_response';
    const body: Dispute = { state, amount, currency, reason, evidence: {}, ...times };
    const id = habits.newId();
    put(habits, work, { id, account, kind: DISPUTE_KIND, paymentId, parent, due: null, body, notes: null }, undefined);
    return id;
  };

const mover =
  (habits: Habits): DisputeControls['move'] =>
  (stored, step, work) => {
    if (!isDispute(stored)) return;
    const { state } = stored.body;
    const escalated = { state: 'needs_response', answerBy: work.now.getTime() + habits.timeToAnswerMs } as const;
    if (step === 'escalate' && state === 'inquiry') change(habits, work, stored, escalated);
    if (step === 'reopen' && state === 'won' && habits.reopens) change(habits, work, stored, escalated);
    const isEnd = step === 'won' || step === 'lost';
    if (isEnd && (isOpen(state) || state === 'under_review')) change(habits, work, stored, { state: step });
  };

const describe: DisputeControls['describe'] = (stored) => {
  if (!isDispute(stored)) throw new Error(`${stored.id} is no dispute.`);
  const { state, amount } = stored.body;
  return { state, amount, charge: stored.parent };
};

/** A dispute's way from the customer's complaint to its end, at providers that differ in words alone. */
export const disputeLife = (habits: Habits) => ({
  controls: { open: opener(habits), move: mover(habits), describe } satisfies DisputeControls,
  isAnswerable: ({ body }: StoredDispute): boolean => isOpen(body.state),
  accept: (work: UnitOfWork, dispute: StoredDispute) => change(habits, work, dispute, { state: 'accepted' }),
  answer: (work: UnitOfWork, dispute: StoredDispute, evidence: Dispute['evidence'] = dispute.body.evidence) =>
    change(habits, work, dispute, { state: 'under_review', evidence }),
  /** Texts that were given, and not sent to the bank yet. */
  draft: (work: UnitOfWork, dispute: StoredDispute, evidence: Dispute['evidence']): StoredDispute =>
    work.objects.put({ ...dispute, body: { ...dispute.body, evidence: { ...dispute.body.evidence, ...evidence } } }),
  /** Nobody answered in time. */
  expire: (work: UnitOfWork, dispute: StoredDispute): void => {
    if (isOpen(dispute.body.state)) change(habits, work, dispute, { state: 'expired' });
  },
});

/** The account's disputes, oldest first. */
export const disputesOf = (work: UnitOfWork): readonly StoredDispute[] =>
  work.objects.ofKind(work.account, DISPUTE_KIND).filter(isDispute);
