import {
  type Behaviour,
  parseBehaviour,
  parseWebhookMode,
  showsOnReplay,
  type WebhookMode,
} from '#lib/simulators/frame/behaviour.ts';
import type { Scenario } from '#lib/simulators/simulator.port.ts';
import type { Provider } from '#shared/domain/reference/provider.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

export type Script = { readonly behaviour: Behaviour; readonly webhook: WebhookMode };

/** A call as a scenario sees it. */
type Sighting = {
  readonly provider: Provider;
  readonly operation: string;
  readonly paymentId: string | null;
  readonly customerId: string | null;
  readonly replay: boolean;
};

type Waiting = Script & { readonly provider: Provider; readonly match: NonNullable<Scenario['match']>; left: number };

/** Where a scenario names no operation it means the calls that charge. */
const CHARGING: ReadonlySet<string> = new Set(['create', 'confirm']);

function fits({ provider, match }: Waiting, call: Omit<Sighting, 'replay'>): boolean {
  return (
    provider === call.provider &&
    (match.operation === undefined ? CHARGING.has(call.operation) : match.operation === call.operation) &&
    (match.payment_id === undefined || match.payment_id === call.paymentId) &&
    (match.customer_id === undefined || match.customer_id === call.customerId)
  );
}

function refuse(what: string): never {
  throw new AppError('invalid_request', what);
}

/**
 * Scenarios that wait for their calls; the first set is the first served. They are gone after a restart, as a test's
 * own plans are.
 */
export class ScenarioBook {
  #waiting: Waiting[] = [];
  add({ provider, behaviour, webhook = 'normal', times = 1, match = {} }: Scenario): void {
    this.#waiting.push({
      provider,
      behaviour: parseBehaviour(behaviour) ?? refuse(`No behaviour ${behaviour}.`),
      webhook: parseWebhookMode(webhook) ?? refuse(`No webhook mode ${webhook}.`),
      match,
      left: Number.isInteger(times) && times > 0 ? times : refuse('times must be a whole number from 1.'),
    });
  }
  clear(): void {
    this.#waiting = [];
  }
  /** The script for a call that reached us, used up once. */
  take(call: Sighting): Script | undefined {
    const served = ({ behaviour }: Waiting) =>
      behaviour.kind !== 'refuse_connection' && (!call.replay || showsOnReplay(behaviour));
    return this.#use(this.#waiting.find((waiting) => fits(waiting, call) && served(waiting)));
  }
  /** Whether the first matching scenario of an unsent call is a refused connection. */
  refuses(provider: Provider, operation: string, paymentId: string | null): boolean {
    const first = this.#waiting.find((waiting) => fits(waiting, { provider, operation, paymentId, customerId: null }));
    return first?.behaviour.kind === 'refuse_connection' && this.#use(first) !== undefined;
  }
  #use(waiting: Waiting | undefined): Script | undefined {
    if (!waiting) return undefined;
    waiting.left -= 1;
    if (waiting.left === 0) this.#waiting = this.#waiting.filter((other) => other !== waiting);
    return waiting;
  }
}
