import { setTimeout as pause } from 'node:timers/promises';
import { accountHash } from '#lib/simulators/frame/account-book.ts';
import { letters } from '#lib/simulators/frame/letters.ts';
import type { Call, ProviderSimulator, Route } from '#lib/simulators/frame/provider.port.ts';
import { answerOf } from '#lib/simulators/frame/refusal.ts';
import { routeFinder } from '#lib/simulators/frame/routing.ts';
import { type WireAnswer, type WireRequest, withHeaders } from '#lib/simulators/frame/wire.ts';
import { carryOut, type Outgoing, type World } from '#lib/simulators/frame/world.ts';

/** Sends the answer. For a connection that is only held it is never called, and the caller hangs up in the end. */
export type Reply = ((answer: WireAnswer) => Promise<void>) & { readonly hungUp: Promise<void> };

/** A call of the API whose sender is known. */
type Heard = { readonly route: Route; readonly operation: string; readonly account: string; readonly call: Call };

type Done = { readonly answer: WireAnswer; readonly outgoing: Outgoing };

const NOTHING: Outgoing = { jobs: [], mode: { kind: 'normal' } };
const COME_AGAIN = { 'retry-after': '2' };
const GARBAGE: WireAnswer = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' };

const behaviourOf = ({ script }: Call) => script?.behaviour.kind;

/** One provider's side of the wire. */
export class Exchange {
  readonly #world: World;
  readonly #simulator: ProviderSimulator;
  readonly #find;
  /** Idempotency keys whose first call is not answered yet. */
  readonly #inFlight = new Set<string>();
  constructor(world: World, simulator: ProviderSimulator) {
    this.#world = world;
    this.#simulator = simulator;
    this.#find = routeFinder(simulator.routes);
  }

  async handle(request: WireRequest, reply: Reply): Promise<void> {
    const simulator = this.#simulator;
    const found = this.#find(request.method, request.path);
    const requestId = letters(14);
    if (!found)
      return reply(simulator.finish(simulator.refusals.unknownRoute(request), { request, requestId, key: null }));
    const { route, params } = found;
    const objects = this.#world.objectsOf(simulator);
    const call: Call = { ...simulator.read(request, params, objects), request, params, requestId, script: null };
    if (route.operation === null) return this.#browse(route, call, objects.get(params.id ?? '')?.account ?? '', reply);
    const heard = { route, operation: route.operation, account: '', call };
    const who = simulator.identify(request);
    if ('refusal' in who) return this.#turnAway(heard, who.refusal, reply);
    return this.#converse({ ...heard, account: accountHash(who.identity) }, reply);
  }

  /** The customer's browser: no credentials, and the account is that of the object it looks at. */
  async #browse(route: Route, call: Call, account: string, reply: Reply): Promise<void> {
    const { result, outgoing } = carryOut(this.#world, { simulator: this.#simulator, account, asked: null }, (work) =>
      answerOf(route, call, work),
    );
    await this.#respond(call, { answer: result, outgoing }, reply);
  }

  /** The key of a call, where this PSP knows keys. */
  #keyed({ key }: Call) {
    const policy = this.#simulator.idempotency;
    return policy && key !== null ? { policy, key } : undefined;
  }

  /** Checks the idempotency key, then pending scenarios, then does the work, or answers what was stored. */
  async #converse(heard: Heard, reply: Reply): Promise<void> {
    const { refusals, provider } = this.#simulator;
    const { account, operation } = heard;
    const { paymentId, customerId, request } = heard.call;
    const keyed = this.#keyed(heard.call);
    const place = `${account} ${keyed?.key}`;
    if (keyed && this.#inFlight.has(place)) return this.#turnAway(heard, keyed.policy.inUse(keyed.key), reply);
    const now = this.#world.options.clock.now();
    const known =
      keyed && this.#world.idempotency.find({ provider, account, key: keyed.key }, now, keyed.policy.life(request));
    const script =
      this.#world.scenarios.take({ provider, operation, paymentId, customerId, replay: known !== undefined }) ?? null;
    const call: Call = { ...heard.call, script };
    if (behaviourOf(call) === 'timeout_before_charge') return this.#record(heard, 0);
    if (behaviourOf(call) === 'rate_limited')
      return this.#turnAway(heard, withHeaders(refusals.rateLimited(), COME_AGAIN), reply);
    const fingerprint = keyed?.policy.fingerprint(request) ?? '';
    if (keyed && known && known.fingerprint !== fingerprint)
      return this.#turnAway(heard, keyed.policy.mismatch(keyed.key), reply);
    const done = known
      ? this.#replay({ ...heard, call }, known.answer)
      : this.#execute({ ...heard, call }, fingerprint);
    // A call that is never answered releases its key: the repeat must learn the result.
    if (keyed && behaviourOf(call) !== 'timeout_after_charge') this.#inFlight.add(place);
    const release = (answer: WireAnswer) => {
      this.#inFlight.delete(place);
      return reply(answer);
    };
    await this.#respond(call, done, Object.assign(release, { hungUp: reply.hungUp }));
  }

  /** Executes the call, its record and its stored answer in one transaction. */
  #execute(heard: Heard, fingerprint: string): Done {
    const { route, account, call } = heard;
    const simulator = this.#simulator;
    const { provider, refusals } = simulator;
    const keyed = this.#keyed(call);
    const { result, outgoing } = carryOut(this.#world, { simulator, account, asked: call }, (work) => {
      if (call.script) work.sendBy(call.script.webhook);
      const answer = simulator.finish(
        behaviourOf(call) === 'http_500' ? refusals.serverError() : answerOf(route, call, work),
        call,
      );
      const kept = keyed && !answer.turnedAway && keyed.policy.keeps(answer);
      if (kept) this.#world.idempotency.put({ provider, account, key: keyed.key }, fingerprint, answer, work.now);
      this.#record(heard, behaviourOf(call) === 'timeout_after_charge' ? 0 : answer.status);
      return answer;
    });
    return { answer: result, outgoing };
  }

  #replay(heard: Heard, first: WireAnswer): Done {
    this.#record(heard, behaviourOf(heard.call) === 'timeout_after_charge' ? 0 : first.status);
    const again = this.#simulator.idempotency?.replayed?.(first) ?? first;
    return { answer: this.#simulator.finish(again, heard.call), outgoing: NOTHING };
  }

  /** Webhooks are sent after the call's end, answered or aborted, unless a scenario wants them early. */
  async #respond(call: Call, { answer, outgoing }: Done, reply: Reply): Promise<void> {
    const { sender } = this.#world;
    const early = outgoing.mode.kind === 'early';
    if (call.script?.behaviour.kind === 'slow') await pause(call.script.behaviour.ms, undefined, { ref: false });
    if (early) await sender.dispatch(outgoing.jobs, outgoing.mode);
    if (behaviourOf(call) === 'timeout_after_charge') await reply.hungUp;
    else await reply(behaviourOf(call) === 'garbage' ? GARBAGE : answer);
    if (!early) await sender.dispatch(outgoing.jobs, outgoing.mode);
  }

  #turnAway(heard: Heard, answer: WireAnswer, reply: Reply): Promise<void> {
    this.#record(heard, answer.status);
    return reply(this.#simulator.finish(answer, heard.call));
  }

  #record({ operation, call }: Heard, status: number): void {
    const { provider } = this.#simulator;
    const at = this.#world.options.clock.now().toISOString();
    this.#world.ledger.record({
      provider,
      operation,
      payment_id: call.paymentId,
      idempotency_key: call.key,
      status,
      at,
    });
  }
}
