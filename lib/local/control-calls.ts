import type * as z from 'zod';
import { ClockMove, Completion, DisputeMove, DisputeOpening, ScenarioBody } from '#lib/local/control-bodies.ts';
import { Fault } from '#lib/local/faults.ts';
import { NewOrganization } from '#lib/local/new-organization.ts';
import { ReceiverResponses } from '#lib/local/receivers.ts';

/** A call of the control server, as `GET /` and the documentation describe it. */
export type ControlCall = {
  readonly method: string;
  readonly path: string;
  readonly subject: ControlSubject;
  /** One sentence for `GET /`. */
  readonly does: string;
  /** The body, or the query; what has a question mark may be left out. */
  readonly takes?: string;
  readonly body?: z.ZodType;
  /** What the fields of the body, or of the query, mean. */
  readonly fields?: Readonly<Record<string, string>>;
  /** A body, or a query, that works on a new host. */
  readonly example?: Readonly<Record<string, unknown>>;
};

export const CONTROL_SUBJECTS = {
  'This host': 'Addresses, keys, sign-in, and more organizations.',
  Clock: 'The service reads its time here, and nowhere else. It moves forward only.',
  Mailbox: 'No mail leaves the host.',
  'Webhook receivers':
    'Endpoints of this machine that take your events. One exists as soon as it is named, and responds with 200.',
  Providers: 'What the simulated providers do next, what they were asked, and what customers and banks do.',
  Faults: 'Calls of the service that fail, or processes that die there, as in an outage.',
} as const;
type ControlSubject = keyof typeof CONTROL_SUBJECTS;

const WEBHOOK =
  'How its callbacks are sent: `normal`, `none`, `early` (before the response), `duplicate`, `late:<ms>` or `reordered`.';

/** Every call, line by line. What it does in the host stands in control-routes.ts. */
export const CONTROL_CALLS = [
  {
    method: 'GET',
    path: '/info',
    subject: 'This host',
    does: 'Returns addresses, the demo organization, its API keys and its connections.',
  },
  {
    method: 'GET',
    path: '/shell',
    subject: 'This host',
    does: "Returns the variables and functions of the documents' examples, for the eval of a shell.",
  },
  {
    method: 'GET',
    path: '/sign-in',
    subject: 'This host',
    does: 'Signs the demo owner in and opens the dashboard, for a browser in which you open this address yourself.',
  },
  {
    method: 'POST',
    path: '/organizations',
    subject: 'This host',
    does: 'Creates another organization with a service key of all scopes.',
    takes: '{name, legal_name, kyc?, plan?}',
    body: NewOrganization,
    fields: {
      name: 'What people call it.',
      legal_name: 'Its name in the register, or null.',
      kyc: 'Whether its identity is verified.',
      plan: 'Its plan, which limits it in the stage `live`.',
    },
    example: { name: 'Second Shop', legal_name: 'Second Shop Ltd' },
  },
  { method: 'GET', path: '/clock', subject: 'Clock', does: "Returns the service's time." },
  {
    method: 'POST',
    path: '/clock',
    subject: 'Clock',
    does: 'Moves the clock forward, and runs everything that falls due on the way.',
    takes: '{advance: 31d | set: 2031-01-31T00:00:00Z}',
    body: ClockMove,
    fields: {
      advance: 'A number with a unit: `30s`, `15m`, `2h` or `31d`.',
      set: 'A time that is not yet past, ISO 8601. The last one is the start of the year 2100.',
    },
    example: { advance: '1d' },
  },
  {
    method: 'POST',
    path: '/drain',
    subject: 'Clock',
    does: 'Responds when all events, queues and mails are worked off.',
  },
  {
    method: 'GET',
    path: '/mailbox',
    subject: 'Mailbox',
    does: 'Returns the mails that were sent, of all or of one address.',
    takes: '?to=',
    fields: { to: 'The address of one recipient.' },
    example: { to: 'you@example.com' },
  },
  {
    method: 'PUT',
    path: '/receiver/{name}',
    subject: 'Webhook receivers',
    does: 'Sets how the webhook receiver /receiver/{name}/hook responds. The last of a sequence repeats.',
    takes: '{status?, delay_ms?, sequence?: [500, 200], body?}',
    body: ReceiverResponses,
    fields: {
      status: 'The status of every response.',
      delay_ms: 'How long it waits before it responds, in milliseconds.',
      sequence: 'The statuses one after the other, instead of `status`. The last one repeats.',
      body: 'What it writes, as plain text. Otherwise an empty JSON object.',
    },
    example: { sequence: [500, 200] },
  },
  {
    method: 'GET',
    path: '/receiver',
    subject: 'Webhook receivers',
    does: 'Lists the webhook receivers, with how they respond and how many requests they got.',
  },
  {
    method: 'GET',
    path: '/receiver/{name}',
    subject: 'Webhook receivers',
    does: 'Returns what that receiver got, oldest first.',
    takes: '?limit=',
    fields: { limit: 'How many of the newest. Without it all.' },
  },
  {
    method: 'POST',
    path: '/psp/scenario',
    subject: 'Providers',
    does: 'Decides what a simulated provider does with its next calls.',
    takes: '{provider, behaviour, raw?, webhook?, times?, match?}',
    body: ScenarioBody,
    fields: {
      provider: 'Whose calls it is for.',
      behaviour: 'What the provider does, such as `decline:lost_card`: [all of them](/docs/guides/testing-failures).',
      raw: 'The response of the behaviour `raw`.',
      webhook: WEBHOOK,
      times: 'How many calls it applies to. One if it is left out.',
      match: 'Which calls it is for. Without it: what charges (`create` and `confirm`).',
    },
    example: { provider: 'stripe', behaviour: 'decline:lost_card' },
  },
  {
    method: 'GET',
    path: '/psp/scenario',
    subject: 'Providers',
    does: 'Lists the scenarios that still wait, and what a scenario can be.',
  },
  {
    method: 'DELETE',
    path: '/psp/scenario',
    subject: 'Providers',
    does: 'Removes all scenarios that still wait.',
  },
  {
    method: 'GET',
    path: '/psp/calls',
    subject: 'Providers',
    does: 'Returns the calls that the simulated providers got, and the money that they took.',
    takes: '?provider=&payment_id=&limit=',
    fields: {
      provider: 'The calls of one provider.',
      payment_id: 'The calls for one payment.',
      limit: 'How many of the newest. Without it all.',
    },
    example: { provider: 'stripe' },
  },
  {
    method: 'POST',
    path: '/psp/complete',
    subject: 'Providers',
    does: 'Does what the customer does on the hosted page or on the phone.',
    takes: '{provider, reference, outcome: succeeded | failed}',
    body: Completion,
    fields: {
      provider: 'Where the customer pays.',
      reference: 'Any id that the provider gave, or the id of our payment.',
      outcome: 'How it ends.',
    },
    example: { provider: 'stripe', reference: 'PAYMENT_ID', outcome: 'succeeded' },
  },
  {
    method: 'POST',
    path: '/psp/disputes',
    subject: 'Providers',
    does: 'Disputes the newest charge of a payment, as the customer does at their bank.',
    takes: '{provider, payment_id, amount?, reason?, inquiry?, webhook?}',
    body: DisputeOpening,
    fields: {
      provider: 'The provider that charged it.',
      payment_id: 'The payment.',
      amount: 'A part of it, in minor units. All of it if this is left out.',
      reason: 'Why the customer disputes it.',
      inquiry: '`true`: the bank only asks, and takes no money yet.',
      webhook: WEBHOOK,
    },
    example: { provider: 'stripe', payment_id: 'PAYMENT_ID' },
  },
  {
    method: 'POST',
    path: '/psp/disputes/move',
    subject: 'Providers',
    does: "Decides a dispute as the customer's bank does, or makes an inquiry a dispute.",
    takes: '{provider, reference, step: escalate | won | lost | reopen, webhook?}',
    body: DisputeMove,
    fields: {
      provider: 'The provider of the dispute.',
      reference: "The provider's id of the dispute, as `POST /psp/disputes` returned it.",
      step: 'An inquiry becomes a dispute (`escalate`), or the bank decides. `reopen` is for one that was won, at Adyen and PayPal.',
      webhook: WEBHOOK,
    },
    example: { provider: 'stripe', reference: 'DISPUTE_REFERENCE', step: 'won' },
  },
  {
    method: 'POST',
    path: '/faults',
    subject: 'Faults',
    does: 'Lets the nth outgoing call from now on fail, or kills its invocation there.',
    takes: '{point, nth, kind, when, handler?}',
    body: Fault,
    fields: {
      point: 'What is called.',
      nth: 'Which call from now on: 1 is the next one.',
      kind: 'The call fails, is throttled, or ends its process there for good.',
      when: 'Before or after the call took effect.',
      handler: 'The function group whose calls count, such as `payments`. All if it is left out.',
    },
    example: { point: 'psp', nth: 1, kind: 'crash', when: 'after', handler: 'payments' },
  },
  {
    method: 'GET',
    path: '/faults',
    subject: 'Faults',
    does: 'Lists the faults that still wait, and the functions that they can be for.',
  },
  { method: 'DELETE', path: '/faults', subject: 'Faults', does: 'Removes all faults that still wait.' },
] as const satisfies readonly ControlCall[];

type NameOf<Call extends ControlCall> = Call extends ControlCall ? `${Call['method']} ${Call['path']}` : never;
/** `POST /clock`. */
export type ControlCallName = NameOf<(typeof CONTROL_CALLS)[number]>;

/** The name of each call, which its type knows exactly. */
export const nameOfCall = <Call extends ControlCall>({ method, path }: Call) => `${method} ${path}` as NameOf<Call>;
