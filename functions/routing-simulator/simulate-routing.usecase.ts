import type { SimulateRoutingInput } from '#functions/routing-simulator/routing-simulator.schema.ts';
import { assertPaymentsLeft } from '#shared/domain/accounts/plan.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Candidate } from '#shared/domain/routing/candidates.rules.ts';
import { explainConnections } from '#shared/domain/routing/connection-explanation.rules.ts';
import { rulesInOrder } from '#shared/domain/routing/edited-rules.rules.ts';
import { planRouting } from '#shared/domain/routing/routing.rules.ts';
import type { RoutedRule } from '#shared/domain/routing/routing-rule.model.ts';
import { explainRules, explainTests } from '#shared/domain/routing/rule-explanation.rules.ts';
import { isByChance, typicalPayment } from '#shared/domain/routing/typical-payment.rules.ts';
import { AppError, type ErrorCode } from '#shared/kernel/errors.ts';
import { type Operation, operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';
import { type Instrument, instrumentIn } from '#shared/services/payments/charge-order.service.ts';
import {
  candidatesFor,
  decideRouting,
  draftPayment,
  startFirstAttempt,
} from '#shared/services/payments/plan-payment.service.ts';

type Needs = Pick<Deps, 'psp' | 'routingRules' | 'config' | 'clock'>;

/** What routing reads, with all rules in place of the enabled ones alone: the others are explained too. */
type Data = Omit<RoutingData, 'rules'> & { readonly rules: readonly (RoutedRule & { readonly name: string })[] };

/**
 * Plans a payment as `POST /v1/payments` does, by the same functions, and says why. Nothing is written, counted or sent
 * to a provider.
 */
export async function simulateRouting({ id, rules, ...body }: SimulateRoutingInput, caller: Caller, deps: Needs) {
  const [stored, current] = await Promise.all([caller.routingData(), deps.routingRules.list(caller.orgId)]);
  const data: Data = { ...stored, rules: rules ? rulesInOrder(rules, stored.connections) : current };
  const at = deps.clock.now();
  const draft = draftOf(body, caller, { data, at }, deps);
  const instrument = await instrumentIn(body, draft);
  const drafts = (n: number): Payment => ({
    ...draft,
    id: id ?? operationId(simulated(at), 'payment', n),
    ...(instrument.details?.mit && { off_session: true }),
  });
  const candidates = candidatesFor(drafts(0), data, instrument, at, deps.psp);
  const draw = { candidates, tests: data.tests, at };
  const payment = id === undefined ? typicalPayment(drafts, draw) : drafts(0);
  const result = resultOf(payment, instrument, { data, at }, deps);
  return {
    ...result,
    mode: payment.mode,
    method: payment.method,
    by_chance: id === undefined && isByChance(payment, draw),
    ...explanationOf(payment, candidates, { data, at, tried: result.order }),
  };
}

type Situation = { readonly data: Data; readonly at: Date };

const draftOf = (
  body: Omit<SimulateRoutingInput, 'id' | 'rules'>,
  caller: Caller,
  { data: { organization }, at }: Situation,
  { config: { stage: mode } }: Pick<Deps, 'config'>,
): Payment => draftPayment(body, caller, simulated(at), { mode, intent: false, organization, config: NO_TOKENS });

/** Why the plan is as it is. `tried`: the connections that may see the payment. */
function explanationOf(
  payment: Payment,
  candidates: readonly Candidate[],
  { data, at, tried }: Situation & { readonly tried: readonly string[] },
) {
  const plan = planRouting(payment, candidates, data, at);
  const { source, rule_id = null, ab_test_id = null, variant = null } = plan.note;
  return {
    routing: { source, rule_id, ab_test_id, variant },
    rules: explainRules(data.rules, payment, { note: plan.note, taken: plan.ranked[0]?.id }),
    ab_tests: explainTests(data.tests, data.rules, payment, { note: plan.note, at }),
    connections: explainConnections(candidates, payment, plan, tried),
  };
}

/** Only what a provider is sent needs a token of ours: the secret that makes them is not read. */
const NO_TOKENS = { tokenSecret: '', hashSecret: '' };

const simulated = (at: Date): Operation => ({ seed: 'simulated', at, resumed: false });

/** What an organization may not do now, whatever the payment is. Other errors are mistakes in the request. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['plan_limit_reached', 'kyc_required', 'organization_quarantined']);

type Result = {
  readonly outcome: 'routed' | 'blocked' | 'no_route' | 'refused';
  readonly connection_id: string | null;
  readonly provider: string | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly order: readonly string[];
  readonly fraud: (NonNullable<Payment['fraud']> & { readonly velocity_rules: number }) | null;
};

/** How the first attempt would begin, or why there is none. */
function resultOf(
  payment: Payment,
  instrument: Instrument,
  { data, at }: Situation,
  { psp, config }: Pick<Deps, 'psp' | 'config'>,
): Result {
  try {
    assertPaymentsLeft(data, config.stage, at);
    const decision = decideRouting(payment, data, instrument, at, { psp });
    const started = startFirstAttempt(payment, decision, simulated(at), 'start', at);
    const attempt = started.attempts.at(0);
    return {
      outcome: outcomeOf(started),
      connection_id: attempt?.connection_id ?? null,
      provider: attempt?.provider ?? null,
      failure: started.failure,
      order: decision.plan.ranked.map(({ id }) => id),
      fraud: started.fraud && { ...started.fraud, velocity_rules: velocityRulesOf(started, data) },
    };
  } catch (error) {
    if (!(error instanceof AppError) || !REFUSALS.has(error.code)) throw error;
    const { code, message } = error;
    return {
      outcome: 'refused',
      connection_id: null,
      provider: null,
      failure: { code, message },
      order: [],
      fraud: null,
    };
  }
}

function outcomeOf({ attempts, fraud }: Payment): Result['outcome'] {
  if (attempts.length > 0) return 'routed';
  return fraud?.decision === 'blocked' ? 'blocked' : 'no_route';
}

/** Of a payment that is on an allow list, and of one that is blocked already, none is asked. */
const velocityRulesOf = ({ unscreened }: Payment, { fraud }: Data): number =>
  unscreened === undefined ? 0 : (fraud?.velocity.length ?? 0);
