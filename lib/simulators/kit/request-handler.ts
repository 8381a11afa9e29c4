import { setTimeout as pause } from 'node:timers/promises';
import { accountHash } from '#lib/simulators/kit/account-scope.ts';
import type { Call, ProviderSimulator, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { rawWireResponse } from '#lib/simulators/kit/raw-response.ts';
import {
  type OutgoingWebhooks,
  runInTransaction,
  type SimulatorContext,
} from '#lib/simulators/kit/simulator-context.ts';
import { ApiError, type WireRequest, type WireResponse, withHeaders } from '#lib/simulators/kit/wire.ts';

/** Sends the response. `neverRespond` holds the connection open instead, and resolves once it is closed. */
export type Reply = ((response: WireResponse) => Promise<void>) & { readonly neverRespond: () => Promise<void> };

/** A call of the API with the account that makes it. */
type ApiCall = { readonly route: Route; readonly operation: string; readonly account: string; readonly call: Call };

type ExecutedCall = { readonly response: WireResponse; readonly outgoing: OutgoingWebhooks };

const NO_WEBHOOKS: OutgoingWebhooks = { jobs: [], mode: { kind: 'normal' } };
const RETRY_LATER = { 'retry-after': '2' };
const GARBAGE_RESPONSE: WireResponse = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' };

const behaviourOf = ({ scenario }: Call) => scenario?.behaviour.kind;

/** Handles all requests to one provider. */
export class RequestHandler {
  readonly #context: SimulatorContext;
  readonly #simulator: ProviderSimulator;
  readonly #find;
  /** Idempotency keys whose first call still runs. */
  readonly #inFlight = new Set<string>();
  constructor(context: SimulatorContext, simulator: ProviderSimulator) {
    this.#context = context;
    this.#simulator = simulator;
    this.#find = createRouter(simulator.routes);
  }

  async handle(request: WireRequest, reply: Reply): Promise<void> {
    const simulator = this.#simulator;
    const found = this.#find(request.method, request.path);
    const requestId = randomId(14);
    if (!found)
      return reply(simulator.finishResponse(simulator.errors.unknownRoute(request), { request, requestId, key: null }));
    const { route, params } = found;
    const objects = this.#context.objectsOf(simulator);
    const call: Call = {
      ...simulator.readRequest(request, params, objects),
      request,
      params,
      requestId,
      scenario: null,
    };
    if (route.operation === null)
      return this.#handlePage(route, call, objects.get(params.id ?? '')?.account ?? '', reply);
    const apiCall = { route, operation: route.operation, account: '', call };
    const caller = simulator.identify(request);
    if ('error' in caller) return this.#reject(apiCall, caller.error, reply);
    return this.#handleApiCall({ ...apiCall, account: accountHash(caller.identity) }, reply);
  }

  /** A page in the customer's browser. There are no credentials: the account is that of the page's object. */
  async #handlePage(route: Route, call: Call, account: string, reply: Reply): Promise<void> {
    const { result, outgoing } = runInTransaction(
      this.#context,
      { simulator: this.#simulator, account, apiRequest: null },
      (work) => responseOf(route, call, work),
    );
    await this.#respond(call, { response: result, outgoing }, reply);
  }

  /** The idempotency key of a call, if this PSP supports keys. */
  #idempotencyOf({ key }: Call) {
    const policy = this.#simulator.idempotency;
    return policy && key !== null ? { policy, key } : undefined;
  }

  /** Checks the idempotency key, takes a matching scenario, then executes the call or replays its stored response. */
  async #handleApiCall(apiCall: ApiCall, reply: Reply): Promise<void> {
    const { provider } = this.#simulator;
    const { account, operation } = apiCall;
    const { paymentId, customerId, request } = apiCall.call;
    const keyed = this.#idempotencyOf(apiCall.call);
    const inFlightKey = `${account} ${keyed?.key}`;
    if (keyed && this.#inFlight.has(inFlightKey)) return this.#reject(apiCall, keyed.policy.inUse(keyed.key), reply);
    const now = this.#context.options.clock.now();
    const stored =
      keyed && this.#context.idempotency.find({ provider, account, key: keyed.key }, now, keyed.policy.ttlMs(request));
    const scenario =
      this.#context.scenarios.take({ provider, operation, paymentId, customerId, replay: stored !== undefined }) ??
      null;
    const call: Call = { ...apiCall.call, scenario };
    const unexecuted = this.#respondUnexecuted({ ...apiCall, call }, reply);
    if (unexecuted) return unexecuted;
    const fingerprint = keyed?.policy.fingerprint(request) ?? '';
    if (keyed && stored && stored.fingerprint !== fingerprint)
      return this.#reject(apiCall, keyed.policy.mismatch(keyed.key), reply);
    const executed = stored
      ? this.#replay({ ...apiCall, call }, stored.response)
      : this.#execute({ ...apiCall, call }, fingerprint);
    // A call that never gets its response must not block its key: the repeated call asks for the result.
    if (keyed && behaviourOf(call) !== 'timeout_after_charge') this.#inFlight.add(inFlightKey);
    const release = (response: WireResponse) => {
      this.#inFlight.delete(inFlightKey);
      return reply(response);
    };
    await this.#respond(call, executed, Object.assign(release, { neverRespond: reply.neverRespond }));
  }

  /** The response of a scenario that does not execute its call; undefined if the call is executed. */
  #respondUnexecuted(apiCall: ApiCall, reply: Reply): Promise<void> | undefined {
    const behaviour = apiCall.call.scenario?.behaviour;
    if (behaviour?.kind === 'timeout_before_charge') {
      this.#record(apiCall, 0);
      return reply.neverRespond();
    }
    if (behaviour?.kind === 'rate_limited')
      return this.#reject(apiCall, withHeaders(this.#simulator.errors.rateLimited(), RETRY_LATER), reply);
    if (behaviour?.kind !== 'raw') return undefined;
    this.#record(apiCall, behaviour.response.status);
    return reply(rawWireResponse(behaviour.response, apiCall.call));
  }

  /** Executes and records the call and stores its response, in one transaction. */
  #execute(apiCall: ApiCall, fingerprint: string): ExecutedCall {
    const { route, account, call } = apiCall;
    const simulator = this.#simulator;
    const { provider, errors } = simulator;
    const keyed = this.#idempotencyOf(call);
    const { result, outgoing } = runInTransaction(this.#context, { simulator, account, apiRequest: call }, (work) => {
      if (call.scenario) work.setWebhookMode(call.scenario.webhook);
      const response = simulator.finishResponse(
        behaviourOf(call) === 'http_500' ? errors.serverError() : responseOf(route, call, work),
        call,
      );
      const storable = keyed && !response.rejected && keyed.policy.stores(response);
      if (storable)
        this.#context.idempotency.put({ provider, account, key: keyed.key }, fingerprint, response, work.now);
      this.#record(apiCall, behaviourOf(call) === 'timeout_after_charge' ? 0 : response.status);
      return response;
    });
    return { response: result, outgoing };
  }

  #replay(apiCall: ApiCall, first: WireResponse): ExecutedCall {
    this.#record(apiCall, behaviourOf(apiCall.call) === 'timeout_after_charge' ? 0 : first.status);
    const replayed = this.#simulator.idempotency?.replayed?.(first) ?? first;
    return { response: this.#simulator.finishResponse(replayed, apiCall.call), outgoing: NO_WEBHOOKS };
  }

  /** Webhooks are sent after the call has ended, unless a scenario wants them early. */
  async #respond(call: Call, { response, outgoing }: ExecutedCall, reply: Reply): Promise<void> {
    const { sender } = this.#context;
    const early = outgoing.mode.kind === 'early';
    if (call.scenario?.behaviour.kind === 'slow') await pause(call.scenario.behaviour.ms, undefined, { ref: false });
    if (early) await sender.dispatch(outgoing.jobs, outgoing.mode);
    if (behaviourOf(call) === 'timeout_after_charge') await reply.neverRespond();
    else await reply(behaviourOf(call) === 'garbage' ? GARBAGE_RESPONSE : response);
    if (!early) await sender.dispatch(outgoing.jobs, outgoing.mode);
  }

  #reject(apiCall: ApiCall, response: WireResponse, reply: Reply): Promise<void> {
    this.#record(apiCall, response.status);
    return reply(this.#simulator.finishResponse(response, apiCall.call));
  }

  #record({ operation, call }: ApiCall, status: number): void {
    const { provider } = this.#simulator;
    const at = this.#context.options.clock.now().toISOString();
    this.#context.ledger.recordCall({
      provider,
      operation,
      payment_id: call.paymentId,
      idempotency_key: call.key,
      status,
      at,
    });
  }
}

function responseOf(route: Route, call: Call, work: UnitOfWork): WireResponse {
  try {
    return route.run(call, work);
  } catch (error) {
    if (error instanceof ApiError) return error.response;
    throw error;
  }
}

type MatchedRoute = { readonly route: Route; readonly params: Readonly<Record<string, string>> };

/** Finds the route of a request. Fixed paths win over paths with `{parameters}`, whatever their order. */
function createRouter(routes: readonly Route[]): (method: string, path: string) => MatchedRoute | undefined {
  const fixed = new Map(
    routes.filter(({ path }) => !path.includes('{')).map((route) => [`${route.method} ${route.path}`, route]),
  );
  const withParameters = routes
    .filter(({ path }) => path.includes('{'))
    .map((route) => ({ route, pattern: new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) }));
  return (method, path) => {
    const route = fixed.get(`${method} ${path}`);
    if (route) return { route, params: {} };
    for (const { route, pattern } of withParameters) {
      const match = route.method === method ? pattern.exec(path) : null;
      if (match) return { route, params: { ...match.groups } };
    }
    return undefined;
  };
}
