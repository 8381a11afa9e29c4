import type { StepType } from '#shared/domain/workflows/workflow.model.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  aPaymentBody,
  type Body,
  type CallOptions,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { drain } from '#test/support/payment-steps.ts';

/** Steps of an organization with workflows, all over HTTP. */

type More = Readonly<Record<string, unknown>>;
/** A step of a template as it is sent; its default `id` is its type. */
export type StepInput = More & { readonly type: StepType };

export type WorkflowShop = TestOrganization & {
  readonly request: (method: string, path: string, body?: unknown, how?: CallOptions) => Promise<ApiResponse>;
  /** Creates one and returns it. */
  readonly make: (what: 'integrations' | 'templates' | 'rules' | 'executions', body: More) => Promise<Body>;
  readonly change: (what: 'integrations' | 'templates' | 'rules', thing: Body, changes: More) => Promise<Body>;
  readonly remove: (what: 'integrations' | 'templates' | 'rules', thing: Body) => Promise<ApiResponse>;
  /** An integration whose requests go to an endpoint of the control server. */
  readonly http: (receiver: string, headers?: Readonly<Record<string, string>>) => Promise<Body>;
  readonly slack: (receiver: string) => Promise<Body>;
  readonly email: (...to: readonly string[]) => Promise<Body>;
  readonly template: (...steps: readonly StepInput[]) => Promise<Body>;
  /** A rule, with a template of these steps. */
  readonly when: (event: string, ...steps: readonly StepInput[]) => Promise<Body>;
  /** All executions once everything is processed, oldest first. */
  readonly executions: () => Promise<Body[]>;
  /** The only execution. */
  readonly execution: () => Promise<Body>;
  readonly pay: (more?: More, token?: string) => Promise<Body>;
};

/** An organization of its own, with one connection. */
export async function aWorkflowShop(host: TestHost, wish: More = {}, connection: More = {}): Promise<WorkflowShop> {
  const org = await anOrganization(host, wish);
  await aConnection(host, org, { id: 'main', ...connection });
  return workflowShopOf(host, org);
}

export function workflowShopOf(host: TestHost, org: TestOrganization): WorkflowShop {
  const ask: WorkflowShop['request'] = (method, path, body, how) =>
    host.call(method, path, body, { key: org.key, ...how });
  const done = async (expected: number, answer: Promise<ApiResponse>): Promise<Body> => {
    const { status, text, body } = await answer;
    if (status !== expected) throw new Error(`${status} ${text}`);
    return body;
  };
  const make: WorkflowShop['make'] = (what, body) => done(201, ask('POST', `/v1/workflows/${what}`, body));
  const integration = (name: string, type: string, config: More) => make('integrations', { name, type, config });
  const addressOf = (receiver: string) => `${host.controlUrl}/receiver/${receiver}/hook`;
  const template = (...steps: readonly StepInput[]) =>
    make('templates', { name: 'A template', steps: steps.map((step) => ({ id: step.type, ...step })) });
  const executions = async () => {
    await drain(host);
    return (await done(200, ask('GET', '/v1/workflows/executions?limit=200'))).executions.toReversed();
  };
  return {
    ...org,
    request: ask,
    make,
    change: (what, { id }, changes) => done(200, ask('PATCH', `/v1/workflows/${what}/${id}`, changes)),
    remove: (what, { id }) => ask('DELETE', `/v1/workflows/${what}/${id}`),
    http: (receiver, headers = {}) => integration(receiver, 'http', { url: addressOf(receiver), headers }),
    slack: (receiver) => integration('Slack', 'slack', { url: addressOf(receiver) }),
    email: (...to) => integration('Mail', 'email', { to }),
    template,
    when: async (event, ...steps) =>
      make('rules', { name: `on ${event}`, event, template_id: (await template(...steps)).id }),
    executions,
    execution: async () => {
      const all = await executions();
      if (all.length !== 1) throw new Error(`There are ${all.length} executions.`);
      return all[0];
    },
    pay: (more = {}, token = 'ok') => done(201, ask('POST', '/v1/payments', aPaymentBody(token, more))),
  };
}

/** Directly in the store, so that the rule applies to events from the time in which it is disabled. */
export async function setRuleEnabled(
  { deps: { workflows } }: TestHost,
  { org_id }: TestOrganization,
  { id }: Body,
  enabled: boolean,
): Promise<void> {
  const definitions = await workflows.definitions(org_id);
  const rule = definitions.rules.find((each) => each.id === id);
  const isTurned =
    rule &&
    (await workflows.change(org_id, definitions, {
      kind: 'rule',
      save: { ...rule, enabled, version: rule.version + 1 },
    }));
  if (!isTurned) throw new Error(`The rule ${id} could not be turned.`);
}

/** The targets of a condition; an object literal with `then` looks like a promise. */
export const branches = (yes: string | null | undefined, no: string | null | undefined): More =>
  Object.fromEntries(
    [
      ['then', yes],
      ['else', no],
    ].filter(([, to]) => to !== undefined),
  );

type Request = {
  readonly at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: Body;
  readonly status: number;
};

/** The requests that an endpoint received, oldest first. */
export async function requestsTo(host: TestHost, receiver: string): Promise<readonly Request[]> {
  const { deliveries } = (await host.control('GET', `/receiver/${receiver}`)).body;
  return deliveries.map(({ at, headers, raw_body, status }: Body) => ({
    at,
    headers,
    text: raw_body,
    body: JSON.parse(raw_body),
    status,
  }));
}

/** One response after the other; the last one repeats. */
export const respondWith = (host: TestHost, receiver: string, ...sequence: readonly number[]): Promise<ApiResponse> =>
  host.control('PUT', `/receiver/${receiver}`, { sequence });

export const mailsTo = async (host: TestHost, address: string): Promise<Body[]> =>
  (await host.control('GET', `/mailbox?to=${encodeURIComponent(address)}`)).body;

/** Each attempted step with its status. */
export const stepsOf = ({ steps }: Body): Readonly<Record<string, string>> =>
  Object.fromEntries(steps.map(({ id, status }: Body) => [id, status]));
