import type { ApiResponse, Body, CallOptions, TestHost, TestOrganization } from '#test/support/host.ts';

/** Requests of a shop for its workflows, all over HTTP. */

export const INTEGRATIONS = '/v1/workflows/integrations';
export const TEMPLATES = '/v1/workflows/templates';
export const RULES = '/v1/workflows/rules';
export const EXECUTIONS = '/v1/workflows/executions';

type Who = Pick<TestOrganization, 'key'>;

/** An endpoint of the control server. */
export const hookAt = (host: TestHost, name: string): string => `${host.controlUrl}/receiver/${name}/hook`;

const post =
  (path: string, usual: (host: TestHost) => Body) =>
  (host: TestHost, { key }: Who, more: Body = {}, how: CallOptions = {}): Promise<ApiResponse> =>
    host.call('POST', path, { ...usual(host), ...more }, { key, ...how });

export const createIntegration = post(INTEGRATIONS, (host) => ({
  name: 'CRM',
  type: 'http',
  config: { url: hookAt(host, 'crm') },
}));
export const createTemplate = post(TEMPLATES, () => ({
  name: 'Tag it',
  steps: [{ id: 'tag', type: 'tag_payment', metadata: { seen: true } }],
}));
export const createRule = post(RULES, () => ({ name: 'On failure', event: 'payment.failed' }));

const made =
  (create: typeof createIntegration) =>
  async (...of: Parameters<typeof createIntegration>): Promise<Body> => {
    const answer = await create(...of);
    if (answer.status !== 201) throw new Error(`Not made: ${answer.text}`);
    return answer.body;
  };

export const anIntegration = made(createIntegration);
export const aTemplate = made(createTemplate);
export const aRule = made(createRule);

/** An existing event, of the type `service.webhook.test`. */
export async function anEvent(host: TestHost, { key }: Who): Promise<Body> {
  await host.call('POST', '/v1/webhooks/config', { url: hookAt(host, 'events'), events: ['*'] }, { key });
  return (await host.call('POST', '/v1/webhooks/test', undefined, { key })).body;
}

/** A step that keeps an execution waiting. */
export const WAIT = { id: 'wait', type: 'delay', for: '1d' };
