import {
  type ActiveScenario,
  appliesToReplay,
  BEHAVIOURS,
  parseBehaviour,
  parseWebhookMode,
  WEBHOOK_MODES,
} from '#lib/simulators/kit/behaviour.ts';
import type { RawResponse, Scenario } from '#lib/simulators/simulators.port.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** A call as a scenario sees it. */
type ObservedCall = {
  readonly provider: Provider;
  readonly operation: string;
  readonly paymentId: string | null;
  readonly customerId: string | null;
  readonly replay: boolean;
};

type PendingScenario = ActiveScenario & {
  readonly provider: Provider;
  readonly match: NonNullable<Scenario['match']>;
  /** As it was set, for those who look. */
  readonly set: Scenario;
  left: number;
};

/** The calls that charge. A scenario without an operation applies to these. */
const CHARGING: ReadonlySet<string> = new Set(['create', 'confirm']);

function matches({ provider, match }: PendingScenario, call: Omit<ObservedCall, 'replay'>): boolean {
  return (
    provider === call.provider &&
    (match.operation === undefined ? CHARGING.has(call.operation) : match.operation === call.operation) &&
    (match.payment_id === undefined || match.payment_id === call.paymentId) &&
    (match.customer_id === undefined || match.customer_id === call.customerId)
  );
}

function failWith(message: string): never {
  throw new AppError('invalid_request', message);
}

function problemOf(behaviour: string, raw: RawResponse | undefined): string {
  if (behaviour === 'raw')
    return 'The behaviour raw needs the response to send: {"raw": {"status", "headers", "body"}}.';
  if (raw && parseBehaviour(behaviour))
    return `The behaviour ${behaviour} takes no raw response. Use the behaviour raw.`;
  return `Unknown behaviour ${behaviour}. There are ${BEHAVIOURS.join(', ')}.`;
}

const unknownMode = (webhook: string): string =>
  `Unknown webhook mode ${webhook}. There are ${WEBHOOK_MODES.join(', ')}.`;

/** Scenarios that wait for a matching call, oldest first. They are kept in memory: a restart clears them. */
export class ScenarioQueue {
  #waiting: PendingScenario[] = [];
  add(set: Scenario): void {
    const { provider, behaviour, raw, webhook = 'normal', times = 1, match = {} } = set;
    this.#waiting.push({
      set,
      provider,
      behaviour: parseBehaviour(behaviour, raw) ?? failWith(problemOf(behaviour, raw)),
      webhook: parseWebhookMode(webhook) ?? failWith(unknownMode(webhook)),
      match,
      left: Number.isInteger(times) && times > 0 ? times : failWith('times must be an integer of at least 1.'),
    });
  }
  clear(): void {
    this.#waiting = [];
  }
  /** Each with how often it still applies. */
  list(): readonly Scenario[] {
    return this.#waiting.map(({ set, left }) => ({ ...set, times: left }));
  }
  /** The scenario for a call that arrived. Uses it once. */
  take(call: ObservedCall): ActiveScenario | undefined {
    const applies = ({ behaviour }: PendingScenario) =>
      behaviour.kind !== 'refuse_connection' && (!call.replay || appliesToReplay(behaviour));
    return this.#use(this.#waiting.find((waiting) => matches(waiting, call) && applies(waiting)));
  }
  /** Whether the first matching scenario refuses the connection. Asked before the call is sent. */
  refusesConnection(provider: Provider, operation: string, paymentId: string | null): boolean {
    const first = this.#waiting.find((waiting) =>
      matches(waiting, { provider, operation, paymentId, customerId: null }),
    );
    return first?.behaviour.kind === 'refuse_connection' && this.#use(first) !== undefined;
  }
  #use(waiting: PendingScenario | undefined): ActiveScenario | undefined {
    if (!waiting) return undefined;
    waiting.left -= 1;
    if (waiting.left === 0) this.#waiting = this.#waiting.filter((other) => other !== waiting);
    return waiting;
  }
}
