import type { Call, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import type { WireRequest } from '#lib/simulators/frame/wire.ts';
import { invalid, json } from '#lib/simulators/stripe/errors.ts';
import { checkExpand, expand } from '#lib/simulators/stripe/expand.ts';
import { type Form, parseForm, textsAt } from '#lib/simulators/stripe/form.ts';
import { API_VERSION } from '#lib/simulators/stripe/objects.ts';
import { BEFORE_ENDIVE } from '#lib/simulators/stripe/shapes.ts';
import { type Shape, validate } from '#lib/simulators/stripe/validation.ts';

/** A request whose parameters have the form that its endpoint takes. */
export type Ask = { readonly input: Form; readonly id: string; readonly call: Call; readonly livemode: boolean };

type Endpoint = {
  readonly shape: Shape;
  /** The kind of object it answers, for what may be expanded in it. */
  readonly shows: string;
  readonly required?: readonly string[];
  /** Whether it took `payment_method_types` before that was removed. */
  readonly takesTypes?: boolean;
  /**
   * Answers the object to show, or throws the refusal. It writes nothing before it knows that it will not refuse, but
   * for declines.
   */
  readonly run: (ask: Ask, work: Work) => object;
};

/** The parameters: of the query where the method has no body. */
export function formOf(request: WireRequest): Form {
  const form = parsed.get(request) ?? parseForm(request.method === 'GET' ? request.query.toString() : request.body);
  parsed.set(request, form);
  return form;
}

const parsed = new WeakMap<WireRequest, Form>();

const versionDay = (call: Call): string => {
  const given = call.request.headers['stripe-version'];
  return typeof given === 'string' ? given : API_VERSION;
};

function checkWire(call: Call): void {
  const type = call.request.headers['content-type'];
  if (call.request.body !== '' && !type?.startsWith('application/x-www-form-urlencoded')) {
    throw invalid(
      `Invalid request (check that your POST content type is application/x-www-form-urlencoded). Received ${type ?? 'none'}.`,
    );
  }
  if (!/^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/.test(versionDay(call)))
    throw invalid(`Invalid Stripe API version: ${versionDay(call)}`);
  if ((call.key?.length ?? 0) > 255) throw invalid('Idempotency-Key must be at most 255 characters.');
}

/** A route of the API: checks, carries out, expands and puts into JSON. */
export function api(method: Route['method'], path: string, operation: string, endpoint: Endpoint): Route {
  return {
    method,
    path,
    operation,
    run: (call, work) => {
      checkWire(call);
      const input = formOf(call.request);
      const old = endpoint.takesTypes && versionDay(call) < '2026-09-30' ? BEFORE_ENDIVE : {};
      validate(input, { ...endpoint.shape, ...old }, endpoint.required);
      checkExpand(endpoint.shows, textsAt(input, 'expand'));
      const livemode = /(sk|rk)_live_/.test(call.request.headers.authorization ?? '');
      const value = endpoint.run({ input, id: call.params.id ?? '', call, livemode }, work);
      return json(200, expand(value, textsAt(input, 'expand'), work));
    },
  };
}
