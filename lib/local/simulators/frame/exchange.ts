import { setTimeout as pause } from 'node:timers/promises';
import { accountHash } from '#lib/local/simulators/frame/account-book.ts';
import { letters } from '#lib/local/simulators/frame/letters.ts';
import type { Call, ProviderSimulator, Reading, Route } from '#lib/local/simulators/frame/provider.port.ts';
import { routeFinder } from '#lib/local/simulators/frame/routing.ts';
import type { WireAnswer, WireRequest } from '#lib/local/simulators/frame/wire.ts';
import { carryOut, type Outgoing, type World } from '#lib/local/simulators/frame/world.ts';

/** How an answer leaves; never, where the connection is only held. */
export type Reply = (answer: WireAnswer) => Promise<void>;

type Heard = { readonly route: Route; readonly operation: string; readonly account: string; readonly call: Call };

const NOTHING: Outgoing = { jobs: [], mode: { kind: 'normal' } };
const GARBAGE: WireAnswer = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' };

/** One provider's side of the wire. */
export function exchangeFor(world: World, simulator: ProviderSimulator): (request: WireRequest, reply: Reply) => Promise<void> {
  const find = routeFinder(simulator.routes);
  const objects = world.objectsOf(simulator);
  const { provider, idempotency } = simulator;
  const inFlight = new Set<string>();

  function record({ operation, call }: Heard, status: number): void {
    const at = world.options.clock.now().toISOString();
    world.ledger.record({ provider, operation, payment_id: call.paymentId, idempotency_key: call.key, status, at });
  }

  const finished = (answer: WireAnswer, { call }: Heard): WireAnswer => simulator.finish(answer, call);

  /** Carries the call out, with its record and what the idempotency key will answer from now on, in one transaction. */
  function execute(heard: Heard, fingerprint: string, silent: boolean): { readonly answer: WireAnswer; readonly outgoing: Outgoing } {
    const { route, account, call } = heard;
    const { result: answer, outgoing } = carryOut(world, { simulator, account, asked: call }, (work) => {
      if (call.script) work.sendBy(call.script.webhook);
      const answer = finished(call.script?.behaviour.kind === 'http_500' ? simulator.refusals.serverError() : route.run(call, work), heard);
      if (call.key !== null && idempotency.keeps(answer)) world.idempotency.put({ provider, account, key: call.key }, fingerprint, answer, work.now);
      record(heard, silent ? 0 : answer.status);
      return answer;
    });
    return { answer, outgoing };
  }

  async function respond(heard: Heard, answer: WireAnswer, outgoing: Outgoing, reply: Reply): Promise<void> {
    const { script } = heard.call;
    if (script?.behaviour.kind === 'slow') await pause(script.behaviour.ms, undefined, { ref: false });
    if (outgoing.mode.kind === 'early') await world.sender.dispatch(outgoing.jobs, outgoing.mode);
    if (script?.behaviour.kind !== 'timeout_after_charge') await reply(script?.behaviour.kind === 'garbage' ? GARBAGE : answer);
    if (outgoing.mode.kind !== 'early') await world.sender.dispatch(outgoing.jobs, outgoing.mode);
  }

  function turnAway(heard: Heard, answer: WireAnswer, reply: Reply): Promise<void> {
    record(heard, answer.status);
    return reply(finished(answer, heard));
  }

  async function converse(heard: Heard, reply: Reply): Promise<void> {
    const { account, call } = heard;
    const place = `${account} ${call.key}`;
    if (call.key !== null && inFlight.has(place)) return turnAway(heard, idempotency.inUse(call.key), reply);
    const known = call.key === null ? undefined : world.idempotency.find({ provider, account, key: call.key }, world.options.clock.now(), idempotency.life);
    const sighting = { provider, operation: heard.operation, paymentId: call.paymentId, customerId: call.customerId, replay: known !== undefined };
    const script = world.scenarios.take(sighting) ?? null;
    const scripted: Heard = { ...heard, call: { ...call, script } };
    const behaviour = script?.behaviour.kind;
    if (behaviour === 'timeout_before_charge') return record(scripted, 0);
    if (behaviour === 'rate_limited') return turnAway(scripted, simulator.refusals.rateLimited(), reply);
    const fingerprint = call.key === null ? '' : idempotency.fingerprint(call.request);
    if (call.key !== null && known && known.fingerprint !== fingerprint) return turnAway(scripted, idempotency.mismatch(call.key), reply);
    if (call.key !== null && behaviour !== 'timeout_after_charge') inFlight.add(place);
    try {
      const { answer, outgoing } = known ? replay(scripted, known.answer) : execute(scripted, fingerprint, behaviour === 'timeout_after_charge');
      await respond(scripted, answer, outgoing, async (last) => {
        inFlight.delete(place);
        await reply(last);
      });
    } finally {
      inFlight.delete(place);
    }
  }

  function replay(heard: Heard, first: WireAnswer): { readonly answer: WireAnswer; readonly outgoing: Outgoing } {
    const silent = heard.call.script?.behaviour.kind === 'timeout_after_charge';
    record(heard, silent ? 0 : first.status);
    return { answer: finished(idempotency.replayed(first), heard), outgoing: NOTHING };
  }

  /** The customer's browser: no credentials, and the account is that of the object it looks at. */
  async function browse(route: Route, call: Call, account: string, reply: Reply): Promise<void> {
    const { result, outgoing } = carryOut(world, { simulator, account, asked: null }, (work) => route.run(call, work));
    await respond({ route, operation: '', account, call }, result, outgoing, reply);
  }

  return async (request, reply) => {
    const found = find(request.method, request.path);
    const requestId = letters(14);
    const bare = { request, requestId, key: null };
    if (!found) return reply(simulator.finish(simulator.refusals.unknownRoute(request), bare));
    const { route, params } = found;
    const reading: Reading = simulator.read(request, params, objects);
    const call: Call = { ...reading, request, params, requestId, script: null };
    if (route.operation === null) return browse(route, call, objects.get(params.id ?? '')?.account ?? '', reply);
    const who = simulator.identify(request);
    if ('refusal' in who) return turnAway({ route, operation: route.operation, account: '', call }, who.refusal, reply);
    return converse({ route, operation: route.operation, account: accountHash(who.identity), call }, reply);
  };
}
