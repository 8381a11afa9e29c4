import fc from 'fast-check';
import { type Command, command } from '#test/model/command.ts';
import { aMethod, type Method, methodBody, methodText } from '#test/model/commands/making.ts';
import { type Act, known, type Model, nth, type Request } from '#test/model/model.ts';
import { newRequest, send } from '#test/model/requests.ts';
import type { Round } from '#test/model/round.ts';
import type { Body } from '#test/support/host.ts';

/** A request about an existing payment, whether its state allows it or not: that is for the service to decide. */
export type Move = {
  readonly act: Exclude<Act, 'create' | 'intent' | 'accept' | 'evidence'>;
  readonly method?: Method;
  readonly part?: number;
  readonly final?: boolean;
  readonly force?: boolean;
};

const withMethod = (act: 'confirm' | 'retry') =>
  fc.record({ act: fc.constant(act), method: fc.option(aMethod, { nil: undefined }) });
/** Out of a hundred; none for the rest. */
const PARTS = [1, 40, 60, 100] as const;
const aRefund = fc.record({
  act: fc.constant('refund' as const),
  part: fc.option(fc.constantFrom(...PARTS), { nil: undefined }),
  force: fc.boolean(),
});
const aCapture = fc.record({
  act: fc.constant('capture' as const),
  part: fc.option(fc.constantFrom(...PARTS), { nil: undefined }),
  final: fc.option(fc.boolean(), { nil: undefined }),
});
export const aMove: fc.Arbitrary<Move> = fc.oneof(
  { arbitrary: withMethod('confirm'), weight: 3 },
  { arbitrary: withMethod('retry'), weight: 2 },
  { arbitrary: fc.constant({ act: 'cancel' as const }), weight: 3 },
  { arbitrary: aRefund, weight: 5 },
  { arbitrary: aCapture, weight: 4 },
);

export const moveText = ({ act, method, part, final, force }: Move): string =>
  [
    act,
    force && 'by force',
    part !== undefined && `${part} %`,
    final !== undefined && `final ${final}`,
    method && `with ${methodText(method)}`,
  ]
    .filter(Boolean)
    .join(' ');

export const hasPayment = (model: Model): boolean => known(model).length > 0;

export function aMoveOf(move: Move, which: number, model: Model, round: Round): Request {
  const about = nth(known(model), which);
  const body = move.act === 'refund' ? refundOf(move, about.amount, model) : bodyOf(move, about.amount, round);
  return newRequest(move.act, about, `/v1/payments/${about.id}/${move.act}`, body, model, round);
}

/** Each names its request, so that two refunds of one request are detected. */
const refundOf = ({ part, force }: Move, amount: number, { requests }: Model): Body => ({
  ...(force && { force }),
  ...(part !== undefined && { amount: Math.ceil((amount * part) / 100) }),
  metadata: { request: requests.length },
});

function bodyOf({ act, method, part, final }: Move, amount: number, { shop }: Round): Body {
  if (act === 'capture')
    return {
      ...(part !== undefined && { amount: Math.ceil((amount * part) / 100) }),
      ...(final !== undefined && { final }),
    };
  return act !== 'cancel' && method && method.with !== 'page' ? methodBody(method, shop.providers) : undefined;
}

const anyMove = (move: Move, which: number): Command =>
  command(`${moveText(move)} of payment ${which}`, hasPayment, async (model, round) =>
    send(aMoveOf(move, which, model, round), model, round),
  );

/** The usual next actions of a payment's state; random actions alone would mostly be refused. */
const ONWARD: Readonly<Record<string, readonly Move['act'][]>> = {
  created: ['confirm', 'confirm', 'cancel'],
  processing: ['cancel'],
  requires_action: ['confirm', 'cancel'],
  authorized: ['capture', 'capture', 'capture', 'cancel'],
  succeeded: ['refund'],
  failed: ['retry'],
};

const MOVES_MONEY: ReadonlySet<Move['act']> = new Set(['refund', 'capture']);

type Onward = {
  readonly method?: Method | undefined;
  readonly part?: number | undefined;
  readonly final?: boolean | undefined;
};

const onward = ({ method, part, final }: Onward, which: number): Command =>
  command(
    `go on with payment ${which}: part ${part}, final ${final}, ${method ? methodText(method) : 'as before'}`,
    hasPayment,
    async (model, round) => {
      const { status } = nth(known(model), which).seen;
      const acts = ONWARD[status] ?? [];
      if (acts.length === 0) return;
      const act = nth(acts, part ?? 0);
      const how = MOVES_MONEY.has(act) ? { part, final } : { method };
      await send(aMoveOf({ act, ...how } as Move, which, model, round), model, round);
    },
  );

export const moving: fc.Arbitrary<Command> = fc.tuple(aMove, fc.nat(2)).map(([move, which]) => anyMove(move, which));
export const goingOn: fc.Arbitrary<Command> = fc
  .tuple(
    fc.record({
      method: fc.option(aMethod, { nil: undefined }),
      part: fc.option(fc.constantFrom(...PARTS), { nil: undefined }),
      final: fc.option(fc.boolean(), { nil: undefined }),
    }),
    fc.nat(2),
  )
  .map(([how, which]) => onward(how, which));
