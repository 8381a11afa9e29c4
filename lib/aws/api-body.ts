import { type FunctionGroup, ROUTES } from '#functions/route-table.ts';
import { DEFAULT_GROUP, namesOf, recordOf } from '#lib/aws/function-table.ts';
import { type AnyRoute, methodsOf } from '#shared/http/route.ts';

/** API Gateway's maximum. Functions end a second earlier, so that their own response arrives. */
const TIMEOUT_MS = 30_000;

export type ApiBodyProps = {
  readonly title: string;
  /** What API Gateway invokes for a group, as text: the API exists before its functions, which need its address. */
  readonly functionArnOf: (group: FunctionGroup) => string;
  readonly partition: string;
  readonly region: string;
  /** Closes the address that AWS gives the API. */
  readonly isDefaultAddressClosed: boolean;
};

/**
 * The whole API as one OpenAPI document, which API Gateway imports in one call. With a resource for each route, a
 * deployment makes hundreds of calls, and runs into the limits of API Gateway's control plane. Every route of the table
 * is a route here too, so that the access log names it, and each function has one integration.
 */
export function apiBody({ title, isDefaultAddressClosed, ...where }: ApiBodyProps): object {
  return {
    openapi: '3.0.1',
    info: { title, version: 'v1' },
    // Also a property of the resource. Whichever of the two API Gateway reads last, it is the same.
    servers: [
      {
        url: '/',
        'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: isDefaultAddressClosed },
      },
    ],
    // No `x-amazon-apigateway-cors`: it is one setting for all routes, and overrides the headers of our responses.
    paths: { ...paths(), '/$default': { [ANY_METHOD]: { isDefaultRoute: true, ...operation(DEFAULT_GROUP) } } },
    components: {
      [INTEGRATIONS]: recordOf(namesOf(ROUTES), (group) => integration(where, group)),
    },
    // The version of the extensions that this document uses.
    'x-amazon-apigateway-importexport-version': '1.0',
  };
}

const INTEGRATIONS = 'x-amazon-apigateway-integrations';
const ANY_METHOD = 'x-amazon-apigateway-any-method';

function integration(
  { functionArnOf, partition, region }: Pick<ApiBodyProps, 'functionArnOf' | 'partition' | 'region'>,
  group: FunctionGroup,
): object {
  const functions = `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions`;
  return {
    type: 'aws_proxy',
    httpMethod: 'POST',
    uri: `${functions}/${functionArnOf(group)}/invocations`,
    connectionType: 'INTERNET',
    payloadFormatVersion: '2.0',
    timeoutInMillis: TIMEOUT_MS,
  };
}

const operation = (group: FunctionGroup): object => ({
  responses: { default: { description: group } },
  'x-amazon-apigateway-integration': { $ref: `#/components/${INTEGRATIONS}/${group}` },
});

function paths(): Record<string, object> {
  const lines = namesOf(ROUTES).flatMap((group) =>
    ROUTES[group].flatMap((route) => methodsOf(route).map((method) => ({ group, path: route.path, method }))),
  );
  return Object.fromEntries(
    [...Map.groupBy(lines, ({ path }) => path)].map(([path, own]) => [
      path,
      {
        ...(parametersIn(path).length > 0 && { parameters: parametersIn(path) }),
        ...Object.fromEntries(own.map(({ method, group }) => [method.toLowerCase(), operation(group)])),
      },
    ]),
  );
}

/** `{id}`, or the greedy `{path+}`, as API Gateway's own exports name it. */
const parametersIn = (path: string): readonly object[] =>
  [...path.matchAll(/\{([\w+]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

export const DEFAULT_ROUTE = '$default';

/** Which of the stage's limits such a route has. */
export type OpenRouteKind = 'open' | 'page' | 'callback';

/**
 * Routes that anyone can call without a credential whose requests are counted. Whoever floods one of them must not use
 * up the limit of the whole API. Pages where customers pay, and callbacks, have more room than sign-in and the rest: money
 * waits for them. So have the dashboard and the documentation, each visit of which loads several files at once.
 */
export function openRouteKind(route: AnyRoute): OpenRouteKind | undefined {
  if (!('raw' in route)) return route.access === 'anyone' ? 'open' : undefined;
  if (/^\/(pay|dashboard|docs)\b/.test(route.path)) return 'page';
  return route.path.startsWith('/webhooks/') ? 'callback' : 'open';
}

/** Every such route by its key, as API Gateway names it, with the default route. */
export const OPEN_ROUTES: Readonly<Record<string, OpenRouteKind>> = {
  [DEFAULT_ROUTE]: 'open',
  ...Object.fromEntries(
    Object.values(ROUTES)
      .flat()
      .flatMap((route) => {
        const kind = openRouteKind(route);
        return kind ? methodsOf(route).map((method) => [`${method} ${route.path}`, kind] as const) : [];
      }),
  ),
};
