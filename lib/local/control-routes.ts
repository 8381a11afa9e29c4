import type { IncomingHttpHeaders } from 'node:http';
import {
  CallFilter,
  ClockMove,
  Completion,
  clockTarget,
  DisputeMove,
  DisputeOpening,
  parseBody,
  ScenarioBody,
} from '#lib/local/control-bodies.ts';
import { signInDemoOwner } from '#lib/local/demo-sign-in.ts';
import { Fault, type FaultInjector } from '#lib/local/faults.ts';
import type { HostInfo } from '#lib/local/host-info.ts';
import type { Mailbox } from '#lib/local/mailbox.ts';
import { NewOrganization, type NewOrganization as OrganizationInput } from '#lib/local/new-organization.ts';
import { ReceiverResponses, type Receivers } from '#lib/local/receivers.ts';
import { shellText } from '#lib/local/start-text.ts';
import { BEHAVIOURS, WEBHOOK_MODES } from '#lib/simulators/kit/behaviour.ts';
import type { HostedSimulators } from '#lib/simulators/simulators.port.ts';
import { FAILURES } from '#shared/domain/payments/declines.catalog.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';

/** What the control server drives. */
type HostControls = {
  readonly info: () => HostInfo;
  readonly controlUrl: string;
  readonly makeOrganization: (input: OrganizationInput) => Promise<{ readonly org_id: string; readonly key: string }>;
  readonly clock: Clock;
  readonly moveClock: (targetOf: (now: Date) => Date) => Promise<void>;
  readonly drain: () => Promise<void>;
  readonly mailbox: Mailbox;
  readonly receivers: Receivers;
  readonly simulators: HostedSimulators;
  readonly faults: FaultInjector;
  /** The possible values of a fault's `handler`. */
  readonly groups: readonly string[];
};

type ControlRequest = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
};

export type ControlRoute = {
  readonly method: string;
  readonly path: string;
  /** One sentence for `GET /`. */
  readonly does: string;
  /** The body, or the query; what has a question mark may be left out. */
  readonly takes?: string;
  /** A text and a redirect are sent as they are, everything else as JSON. */
  readonly run: (request: ControlRequest) => unknown;
};

/** The table of the local host's interface, line by line. */
export function controlRoutes(host: HostControls): readonly ControlRoute[] {
  const { clock, receivers, simulators, faults } = host;
  const now = () => ({ now: clock.now().toISOString() });
  return [
    {
      method: 'GET',
      path: '/info',
      does: 'Returns addresses, the demo organization, its API keys and its connections.',
      run: () => host.info(),
    },
    {
      method: 'GET',
      path: '/shell',
      does: "Returns the variables and functions of the documents' examples, for the eval of a shell.",
      run: () => shellText(host.info(), host.controlUrl),
    },
    {
      method: 'GET',
      path: '/sign-in',
      does: 'Signs the demo owner in and opens the dashboard, for a browser in which you open this address yourself.',
      run: ({ headers }) => signInDemoOwner(headers, { info: host.info(), mailbox: host.mailbox }),
    },
    {
      method: 'POST',
      path: '/organizations',
      does: 'Creates another organization with a service key of all scopes.',
      takes: '{name, legal_name, kyc?, plan?}',
      run: ({ body }) => host.makeOrganization(parseBody(NewOrganization, body)),
    },
    { method: 'GET', path: '/clock', does: "Returns the service's time.", run: now },
    {
      method: 'POST',
      path: '/clock',
      does: 'Moves the clock forward, and runs everything that falls due on the way.',
      takes: '{advance: 31d | set: 2031-01-31T00:00:00Z}',
      run: async ({ body }) => {
        await host.moveClock(clockTarget(parseBody(ClockMove, body), clock));
        return now();
      },
    },
    {
      method: 'POST',
      path: '/drain',
      does: 'Responds when all events, queues and mails are worked off.',
      run: async () => {
        await host.drain();
        return { drained: true };
      },
    },
    {
      method: 'GET',
      path: '/mailbox',
      does: 'Returns the mails that were sent, of all or of one address.',
      takes: '?to=',
      run: ({ query }) => host.mailbox.to(query.to),
    },
    {
      method: 'PUT',
      path: '/receiver/{name}',
      does: 'Sets how the webhook receiver /receiver/{name}/hook responds. The last of a sequence repeats.',
      takes: '{status?, delay_ms?, sequence?: [500, 200], body?}',
      run: ({ params, body }) => {
        receivers.set(params.name ?? '', parseBody(ReceiverResponses, body ?? {}));
        return { name: params.name };
      },
    },
    {
      method: 'GET',
      path: '/receiver',
      does: 'Lists the webhook receivers, with how they respond and how many requests they got.',
      run: () => ({ receivers: receivers.list() }),
    },
    {
      method: 'GET',
      path: '/receiver/{name}',
      does: 'Returns what that receiver got, oldest first.',
      run: ({ params }) => ({ deliveries: receivers.deliveries(params.name ?? '') }),
    },
    {
      method: 'POST',
      path: '/psp/scenario',
      does: 'Decides what a simulated provider does with its next calls.',
      takes: '{provider, behaviour, raw?, webhook?, times?, match?}',
      run: async ({ body }) => {
        const scenario = parseBody(ScenarioBody, body);
        await simulators.setScenario(scenario);
        return scenario;
      },
    },
    {
      method: 'GET',
      path: '/psp/scenario',
      does: 'Lists the scenarios that still wait, and what a scenario can be.',
      run: async () => ({
        waiting: await simulators.scenarios(),
        providers: PROVIDERS,
        behaviours: BEHAVIOURS,
        failure_codes: Object.keys(FAILURES),
        webhooks: WEBHOOK_MODES,
      }),
    },
    {
      method: 'DELETE',
      path: '/psp/scenario',
      does: 'Removes all scenarios that still wait.',
      run: async () => {
        await simulators.clearScenarios();
        return { cleared: true };
      },
    },
    {
      method: 'GET',
      path: '/psp/calls',
      does: 'Returns the calls that the simulated providers got, and the money that they took.',
      takes: '?provider=&payment_id=',
      run: ({ query: { provider, payment_id } }) =>
        simulators.calls(
          parseBody(CallFilter, { provider: provider || undefined, payment_id: payment_id || undefined }),
        ),
    },
    {
      method: 'POST',
      path: '/psp/complete',
      does: 'Does what the customer does on the hosted page or on the phone.',
      takes: '{provider, reference, outcome: succeeded | failed}',
      run: async ({ body }) => {
        const { provider, reference, outcome } = parseBody(Completion, body);
        return orNotFound(
          (await simulators.complete(provider, reference, outcome)) ? { completed: true } : undefined,
          `${provider} knows no ${reference}.`,
        );
      },
    },
    {
      method: 'POST',
      path: '/psp/disputes',
      does: 'Disputes the newest charge of a payment, as the customer does at their bank.',
      takes: '{provider, payment_id, amount?, reason?, inquiry?, webhook?}',
      run: async ({ body }) => {
        const { provider, payment_id, ...dispute } = parseBody(DisputeOpening, body);
        const reference = await simulators.openDispute(provider, payment_id, dispute);
        return orNotFound(reference && { reference }, `${provider} has charged nothing for ${payment_id}.`);
      },
    },
    {
      method: 'POST',
      path: '/psp/disputes/move',
      does: "Decides a dispute as the customer's bank does, or makes an inquiry a dispute.",
      takes: '{provider, reference, step: escalate | won | lost | reopen, webhook?}',
      run: async ({ body }) => {
        const { provider, reference, step, webhook } = parseBody(DisputeMove, body);
        return orNotFound(
          (await simulators.moveDispute(provider, reference, step, webhook)) ? { moved: true } : undefined,
          `${provider} knows no dispute ${reference}.`,
        );
      },
    },
    {
      method: 'POST',
      path: '/faults',
      does: 'Lets the nth outgoing call from now on fail, or kills its invocation there.',
      takes: '{point, nth, kind, when, handler?}',
      run: ({ body }) => {
        faults.add(assertHandlerExists(parseBody(Fault, body), host.groups));
        return { waiting: faults.waiting };
      },
    },
    {
      method: 'GET',
      path: '/faults',
      does: 'Lists the faults that still wait, and the functions that they can be for.',
      run: () => ({ waiting: faults.waiting, handlers: host.groups }),
    },
    {
      method: 'DELETE',
      path: '/faults',
      does: 'Removes all faults that still wait.',
      run: () => {
        faults.clear();
        return { cleared: true };
      },
    },
  ];
}

/** A fault for an unknown function would never fire. */
function assertHandlerExists(fault: Fault, groups: readonly string[]): Fault {
  if (fault.handler === undefined || groups.includes(fault.handler)) return fault;
  throw new AppError('invalid_request', `handler: There is no ${fault.handler}; there are ${groups.join(', ')}.`);
}
