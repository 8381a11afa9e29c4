import { ClockMove, Completion, clockTarget, parseBody, ScenarioBody } from '#lib/local/control-bodies.ts';
import { Fault, type FaultInjector } from '#lib/local/faults.ts';
import type { HostInfo } from '#lib/local/host-info.ts';
import type { Mailbox } from '#lib/local/mailbox.ts';
import { NewOrganization, type NewOrganization as OrganizationInput } from '#lib/local/new-organization.ts';
import { ReceiverResponses, type Receivers } from '#lib/local/receivers.ts';
import type { Simulators } from '#lib/simulators/simulators.port.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';

/** What the control server drives. */
type HostControls = {
  readonly info: () => HostInfo;
  readonly makeOrganization: (input: OrganizationInput) => Promise<{ readonly org_id: string; readonly key: string }>;
  readonly clock: Clock;
  readonly moveClock: (targetOf: (now: Date) => Date) => Promise<void>;
  readonly drain: () => Promise<void>;
  readonly mailbox: Mailbox;
  readonly receivers: Receivers;
  readonly simulators: Simulators;
  readonly faults: FaultInjector;
  /** The possible values of a fault's `handler`. */
  readonly groups: readonly string[];
};

type ControlRequest = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
};

export type ControlRoute = {
  readonly method: string;
  readonly path: string;
  readonly run: (request: ControlRequest) => unknown;
};

/** The table of the local host's interface, line by line. */
export function controlRoutes(host: HostControls): readonly ControlRoute[] {
  const { clock, receivers, simulators, faults } = host;
  const now = () => ({ now: clock.now().toISOString() });
  return [
    { method: 'GET', path: '/info', run: () => host.info() },
    {
      method: 'POST',
      path: '/organizations',
      run: ({ body }) => host.makeOrganization(parseBody(NewOrganization, body)),
    },
    { method: 'GET', path: '/clock', run: now },
    {
      method: 'POST',
      path: '/clock',
      run: async ({ body }) => {
        await host.moveClock(clockTarget(parseBody(ClockMove, body), clock));
        return now();
      },
    },
    {
      method: 'POST',
      path: '/drain',
      run: async () => {
        await host.drain();
        return { drained: true };
      },
    },
    { method: 'GET', path: '/mailbox', run: ({ query }) => host.mailbox.to(query.to) },
    {
      method: 'PUT',
      path: '/receiver/{name}',
      run: ({ params, body }) => {
        receivers.set(params.name ?? '', parseBody(ReceiverResponses, body ?? {}));
        return { name: params.name };
      },
    },
    {
      method: 'GET',
      path: '/receiver/{name}',
      run: ({ params }) => ({ deliveries: receivers.deliveries(params.name ?? '') }),
    },
    {
      method: 'POST',
      path: '/psp/scenario',
      run: ({ body }) => {
        const scenario = parseBody(ScenarioBody, body);
        simulators.setScenario(scenario);
        return scenario;
      },
    },
    {
      method: 'DELETE',
      path: '/psp/scenario',
      run: () => {
        simulators.clearScenarios();
        return { cleared: true };
      },
    },
    {
      method: 'GET',
      path: '/psp/calls',
      run: ({ query: { provider, payment_id } }) => simulators.calls({ provider, payment_id }),
    },
    {
      method: 'POST',
      path: '/psp/complete',
      run: ({ body }) => {
        const { provider, reference, outcome } = parseBody(Completion, body);
        return orNotFound(
          simulators.complete(provider, reference, outcome) ? { completed: true } : undefined,
          `${provider} knows no ${reference}.`,
        );
      },
    },
    {
      method: 'POST',
      path: '/faults',
      run: ({ body }) => {
        faults.add(assertHandlerExists(parseBody(Fault, body), host.groups));
        return { waiting: faults.waiting };
      },
    },
    {
      method: 'DELETE',
      path: '/faults',
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
