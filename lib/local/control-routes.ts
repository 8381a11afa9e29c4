import type { IncomingHttpHeaders } from 'node:http';
import {
  CallFilter,
  ClockMove,
  Completion,
  clockTarget,
  DisputeMove,
  DisputeOpening,
  newestOf,
  parseBody,
  ScenarioBody,
} from '#lib/local/control-bodies.ts';
import { CONTROL_CALLS, type ControlCall, type ControlCallName, nameOfCall } from '#lib/local/control-calls.ts';
import { showDemoSignIn } from '#lib/local/demo-sign-in.ts';
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

export type ControlRoute = Pick<ControlCall, 'method' | 'path' | 'does' | 'takes'> & {
  /** A text, a page and a redirect are sent as they are, everything else as JSON. */
  readonly run: (request: ControlRequest) => unknown;
};

/** The table of the local host's interface, line by line. */
export function controlRoutes(host: HostControls): readonly ControlRoute[] {
  const { clock, receivers, simulators, faults } = host;
  const now = () => ({ now: clock.now().toISOString() });
  const runs: Readonly<Record<ControlCallName, ControlRoute['run']>> = {
    'GET /info': () => host.info(),
    'GET /shell': () => shellText(host.info(), host.controlUrl),
    'GET /sign-in': ({ headers }) => showDemoSignIn(headers, { info: host.info(), mailbox: host.mailbox }),
    'POST /organizations': ({ body }) => host.makeOrganization(parseBody(NewOrganization, body)),
    'GET /clock': now,
    'POST /clock': async ({ body }) => {
      await host.moveClock(clockTarget(parseBody(ClockMove, body), clock));
      return now();
    },
    'POST /drain': async () => {
      await host.drain();
      return { drained: true };
    },
    'GET /mailbox': ({ query }) => host.mailbox.to(query.to),
    'PUT /receiver/{name}': ({ params, body }) => {
      receivers.set(params.name ?? '', parseBody(ReceiverResponses, body ?? {}));
      return { name: params.name };
    },
    'GET /receiver': () => ({ receivers: receivers.list() }),
    'GET /receiver/{name}': ({ params, query: { limit } }) => ({
      deliveries: newestOf(receivers.deliveries(params.name ?? ''), limit),
    }),
    'POST /psp/scenario': async ({ body }) => {
      const scenario = parseBody(ScenarioBody, body);
      await simulators.setScenario(scenario);
      return scenario;
    },
    'GET /psp/scenario': async () => ({
      waiting: await simulators.scenarios(),
      providers: PROVIDERS,
      behaviours: BEHAVIOURS,
      failure_codes: Object.keys(FAILURES),
      webhooks: WEBHOOK_MODES,
    }),
    'DELETE /psp/scenario': async () => {
      await simulators.clearScenarios();
      return { cleared: true };
    },
    'GET /psp/calls': async ({ query: { provider, payment_id, limit } }) => {
      const filter = { provider: provider || undefined, payment_id: payment_id || undefined };
      const { calls, charges, ...more } = await simulators.calls(parseBody(CallFilter, filter));
      const newest = Object.fromEntries(newestOf(Object.entries(charges), limit));
      return { calls: newestOf(calls, limit), charges: newest, ...more };
    },
    'POST /psp/complete': async ({ body }) => {
      const { provider, reference, outcome } = parseBody(Completion, body);
      return orNotFound(
        (await simulators.complete(provider, reference, outcome)) ? { completed: true } : undefined,
        `${provider} knows no ${reference}.`,
      );
    },
    'POST /psp/disputes': async ({ body }) => {
      const { provider, payment_id, ...dispute } = parseBody(DisputeOpening, body);
      const reference = await simulators.openDispute(provider, payment_id, dispute);
      return orNotFound(reference && { reference }, `${provider} has charged nothing for ${payment_id}.`);
    },
    'POST /psp/disputes/move': async ({ body }) => {
      const { provider, reference, step, webhook } = parseBody(DisputeMove, body);
      return orNotFound(
        (await simulators.moveDispute(provider, reference, step, webhook)) ? { moved: true } : undefined,
        `${provider} knows no dispute ${reference}.`,
      );
    },
    'POST /faults': ({ body }) => {
      faults.add(assertHandlerExists(parseBody(Fault, body), host.groups));
      return { waiting: faults.waiting };
    },
    'GET /faults': () => ({ waiting: faults.waiting, handlers: host.groups }),
    'DELETE /faults': () => {
      faults.clear();
      return { cleared: true };
    },
  };
  return CONTROL_CALLS.map((call) => ({ ...call, run: runs[nameOfCall(call)] }));
}

/** A fault for an unknown function would never fire. */
function assertHandlerExists(fault: Fault, groups: readonly string[]): Fault {
  if (fault.handler === undefined || groups.includes(fault.handler)) return fault;
  throw new AppError('invalid_request', `handler: There is no ${fault.handler}; there are ${groups.join(', ')}.`);
}
