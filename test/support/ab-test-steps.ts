import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  type CallOptions,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';

/** Steps of the tests of A/B tests, all over HTTP. */
export const PATH = '/v1/routing/ab-tests';
export const OTHER_PATH = '/v1/routing-ab-tests';

export type Lab = TestOrganization & {
  readonly host: TestHost;
  readonly rules: Readonly<Record<'a' | 'b', string>>;
  readonly how: CallOptions;
};

/**
 * An organization of its own with connections a and b, and a disabled rule to each, so that only a test uses them.
 */
export async function aLab(host: TestHost, rule: Body = {}): Promise<Lab> {
  const own = await anOrganization(host);
  const how = { key: own.key };
  const lead = async (id: string): Promise<string> => {
    await aConnection(host, own, { id });
    const body = { name: `To ${id}`, countries: ['DE'], connection_id: id, enabled: false, ...rule };
    return (await host.call('POST', '/v1/routing-rules', body, how)).body.id;
  };
  return { ...own, host, how, rules: { a: await lead('a'), b: await lead('b') } };
}

export const variantsOf = ({ rules }: Pick<Lab, 'rules'>) => [
  { name: 'A', routing_rule_id: rules.a, weight: 1 },
  { name: 'B', routing_rule_id: rules.b, weight: 1 },
];

export const createTest = (lab: Lab, more: Body = {}, how: CallOptions = {}): Promise<ApiResponse> =>
  lab.host.call('POST', PATH, { name: 'a or b', variants: variantsOf(lab), ...more }, { ...lab.how, ...how });

export const makeTest = async (lab: Lab, more: Body = {}): Promise<Body> => (await createTest(lab, more)).body;

export const move = ({ host, how }: Lab, id: string, step: 'start' | 'pause' | 'complete'): Promise<ApiResponse> =>
  host.call('POST', `${PATH}/${id}/${step}`, undefined, how);

export async function startTest(lab: Lab, more: Body = {}): Promise<Body> {
  const test = await makeTest(lab, more);
  await move(lab, test.id, 'start');
  return test;
}

export const readTest = async ({ host, how }: Lab, id: string): Promise<Body> =>
  (await host.call('GET', `${OTHER_PATH}/${id}`, undefined, how)).body;
export const editTest = ({ host, how }: Lab, id: string, wish: Body): Promise<ApiResponse> =>
  host.call('PATCH', `${PATH}/${id}`, wish, how);
export const resultsOf = async ({ host, how }: Lab, id: string): Promise<Body> =>
  (await host.call('GET', `${PATH}/${id}/results`, undefined, how)).body.results;
export const comparisonOf = async ({ host, how }: Lab, id: string): Promise<Body> =>
  (await host.call('GET', `${PATH}/${id}/comparison`, undefined, how)).body;
