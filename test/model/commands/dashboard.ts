import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { type Command, command } from '#test/model/command.ts';
import { hasPayment } from '#test/model/commands/moving.ts';
import { complete } from '#test/model/commands/outside.ts';
import { look } from '#test/model/looking.ts';
import { known, type Model, nth, type Tracked } from '#test/model/model.ts';
import { ask, learn, newRequest, send } from '#test/model/requests.ts';
import type { Round } from '#test/model/round.ts';
import { tally } from '#test/model/tally.ts';
import type { Body } from '#test/support/host.ts';

/** Out of a hundred of the payment's amount; the provider refuses what exceeds the rest. */
const PARTS = [1, 30, 60, 100] as const;

/**
 * A refund whose callback is switched off is found by nobody, unless its charge is still looked up: then the refunds
 * are read with it. Adyen has no look-up, and without callbacks it reports neither.
 */
async function isFound(about: Tracked, model: Model, round: Round): Promise<boolean> {
  if (!model.muted) return true;
  await look(about, model, round);
  const { status = '', attempts = [] } = about.seen ?? {};
  const { provider = 'adyen', psp_reference = null } = attempts.at(-1) ?? {};
  const isWaitedFor = status === 'processing' || status === 'requires_action';
  return isWaitedFor && provider !== 'adyen' && psp_reference !== null;
}

/** The merchant refunds a part of the newest charge at the newest try's provider. */
function refundByHand({ seen, amount }: Tracked, part: number, model: Model, { host }: Round): void {
  const provider: Provider | undefined = seen?.attempts.at(-1)?.provider;
  if (!seen || provider === undefined) return;
  // The callback may come before we know of the charge, or while others hold its amount: then it is repeated.
  model.belated = true;
  const status = host.simulators.refundInDashboard(provider, seen.id, Math.ceil((amount * part) / 100));
  if (status !== undefined && status < 300) tally.count('refund in the dashboard');
}

const byHand = (part: number, which: number): Command =>
  command(`${part} % of payment ${which} is refunded in the dashboard`, hasPayment, async (model, round) => {
    const about = nth(known(model), which);
    if (await isFound(about, model, round)) refundByHand(about, part, model, round);
  });

/** What a provider without a look-up has captured or given back, and does not report, is found by nobody. */
const isHeldAndFound = ({ seen }: Tracked, { muted }: Model): boolean =>
  seen?.status === 'authorized' && !(muted && seen.provider === 'adyen');

/** The merchant captures a part of what is held, or gives all that is left back. */
const heldByHand = (part: number | 'void', final: boolean, which: number): Command =>
  command(
    `${part === 'void' ? 'what is held' : `${part} % ${final ? 'and no more' : ''}`} of payment ${which} is ` +
      `${part === 'void' ? 'given back' : 'captured'} in the dashboard`,
    hasPayment,
    async (model, round) => {
      const about = nth(known(model), which);
      await look(about, model, round);
      if (!isHeldAndFound(about, model)) return;
      model.belated = true;
      const { id, provider } = about.seen;
      const { simulators } = round.host;
      const amount = Math.ceil((about.amount * Number(part)) / 100);
      const status =
        part === 'void'
          ? simulators.voidInDashboard(provider, id)
          : simulators.captureInDashboard(provider, id, amount, final);
      if (status !== undefined && status < 300)
        tally.count(part === 'void' ? 'void in the dashboard' : 'capture in the dashboard');
    },
  );

/** The refund is reported at once, so that its callback may come before the payment's own. */
const paidAndRefunded = (part: number, which: number, fault: Body | undefined): Command =>
  command(
    `payment ${which} is paid and refunded (${part} %) at once${fault ? `, with ${JSON.stringify(fault)}` : ''}`,
    hasPayment,
    async (model, round) => {
      const about = nth(known(model), which);
      if (!(await isFound(about, model, round))) return;
      const attempt = about.seen.attempts.at(-1);
      if (!attempt || about.seen.status !== 'requires_action') return;
      model.faulty ||= fault !== undefined;
      if (fault) await round.control('POST', '/faults', fault);
      await complete(attempt.provider, attempt.psp_reference ?? about.id, 'succeeded', round);
      refundByHand(about, part, model, round);
      await pause(5);
      await round.control('DELETE', '/faults');
    },
  );

const aFault: fc.Arbitrary<Body> = fc.record({
  point: fc.constant('table'),
  nth: fc.integer({ min: 1, max: 4 }),
  kind: fc.constantFrom('crash', 'error'),
  when: fc.constantFrom('before', 'after'),
  handler: fc.constant('psp-webhooks'),
});

/** Ours and the merchant's at the same instant. */
const together = (part: number, ours: number, which: number): Command =>
  command(
    `${part} % of payment ${which} is refunded in the dashboard beside ours of ${ours} %`,
    hasPayment,
    async (model, round) => {
      const about = nth(known(model), which);
      if (!(await isFound(about, model, round))) return;
      const body = { amount: Math.ceil((about.amount * ours) / 100), metadata: { request: model.requests.length } };
      const request = newRequest('refund', about, `/v1/payments/${about.id}/refund`, body, model, round);
      const asked = ask(request, round);
      await pause(1);
      refundByHand(about, part, model, round);
      learn(request, await asked, model, 'at once');
      await look(about, model, round);
    },
  );

const OUTAGES = ['refuse_connection', 'rate_limited', 'timeout_before_charge', 'http_500'] as const;

/** The provider takes no refunds for hours or days. */
const outage = (behaviour: (typeof OUTAGES)[number], by: string, which: number): Command =>
  command(`provider ${which} takes no refunds for ${by}: ${behaviour}`, hasPayment, async (model, round) => {
    const provider = nth(round.shop.providers, which);
    await round.control('POST', '/psp/scenario', { provider, behaviour, times: 500, match: { operation: 'refund' } });
    model.belated = true;
    for (const about of known(model)
      .filter(({ seen }) => seen.status === 'succeeded')
      .slice(0, 1)) {
      const body = { amount: Math.ceil(about.amount / 4), metadata: { request: model.requests.length } };
      await send(newRequest('refund', about, `/v1/payments/${about.id}/refund`, body, model, round), model, round);
      tally.count(`outage: ${behaviour}`);
    }
    await round.control('POST', '/clock', { advance: by });
    await round.control('DELETE', '/psp/scenario');
  });

export const dashboards: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: fc.tuple(fc.constantFrom(...PARTS), fc.nat(2)).map(([part, which]) => byHand(part, which)), weight: 4 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom(...PARTS), fc.nat(2), fc.option(aFault, { nil: undefined }))
      .map(([part, which, fault]) => paidAndRefunded(part, which, fault)),
    weight: 2,
  },
  {
    arbitrary: fc
      .tuple(fc.constantFrom(...PARTS), fc.constantFrom(30, 60), fc.nat(2))
      .map(([part, ours, which]) => together(part, ours, which)),
    weight: 2,
  },
);

export const holds: fc.Arbitrary<Command> = fc
  .tuple(fc.constantFrom<number | 'void'>('void', 30, 60, 100), fc.boolean(), fc.nat(2))
  .map(([part, final, which]) => heldByHand(part, final, which));

export const outages: fc.Arbitrary<Command> = fc
  .tuple(fc.constantFrom(...OUTAGES), fc.constantFrom('2h', '2h', '3d', '12d'), fc.nat(1))
  .map(([behaviour, by, which]) => outage(behaviour, by, which));
