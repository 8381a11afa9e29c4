import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '#functions/route-table.ts';
import { ALIAS_NAME } from '#lib/aws/stack-names.ts';
import { isRaw, methodsOf, routeKey } from '#shared/http/route.ts';
import { functionNames, invokedName } from '#test/cdk/stack/function-names.support.ts';
import { idOf, type Properties, type Synthesized, textOf } from '#test/cdk/synthesized.support.ts';

const LINES = Object.entries(ROUTES).flatMap(([group, routes]) =>
  routes.flatMap((route) => methodsOf(route).map((method) => [routeKey({ ...route, method }), group] as const)),
);

/** What API Gateway imports. */
const documentOf = (stack: Synthesized): Properties =>
  Object.values(stack.of('AWS::ApiGatewayV2::Api'))[0]?.Properties.Body;

const REFERENCE = /^#\/components\/x-amazon-apigateway-integrations\/([\w-]+)$/;
const FUNCTION_URI =
  /^arn:<AWS::Partition>:apigateway:<AWS::Region>:lambda:path\/2015-03-31\/functions\/(.*)\/invocations$/;

/** Each imported route, with the ARN of what it invokes. */
function importedRoutes(stack: Synthesized): ReadonlyMap<string, string | undefined> {
  const { paths, components } = documentOf(stack);
  const integrations = components['x-amazon-apigateway-integrations'];
  const invoked = ({ $ref }: { readonly $ref: string }) =>
    FUNCTION_URI.exec(textOf(integrations[REFERENCE.exec($ref)?.[1] ?? '']?.uri))?.[1];
  const routes = Object.entries<Properties>(paths).flatMap(([path, { parameters: _, ...operations }]) =>
    Object.entries<Properties>(operations).map(([method, operation]) => {
      const key = operation.isDefaultRoute ? '$default' : `${method.toUpperCase()} ${path}`;
      return [key, invoked(operation['x-amazon-apigateway-integration'])] as const;
    }),
  );
  return new Map(routes);
}

const arnOf = (stack: Synthesized, group: string): string =>
  `arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:${stack.name}-${group}:${ALIAS_NAME}`;

export function routesContract(stack: () => Synthesized): void {
  describe('the API', () => {
    it.each(LINES)('routes %s to %s', (key, group) =>
      expect(importedRoutes(stack()).get(key)).toBe(arnOf(stack(), group)),
    );

    it('has no other route except the default, which answers 404', () => {
      const imported = importedRoutes(stack());
      expect([...imported.keys()].sort()).toEqual(['$default', ...LINES.map(([key]) => key)].sort());
      expect(imported.get('$default')).toBe(arnOf(stack(), 'openapi'));
    });

    it('is imported as one document, with one integration for each function and no resource for a route', () => {
      const { openapi, components } = documentOf(stack());
      expect(openapi).toMatch(/^3\.0/);
      expect(Object.keys(components['x-amazon-apigateway-integrations']).sort()).toEqual(Object.keys(ROUTES).sort());
      // What API Gateway allows an API.
      expect(importedRoutes(stack()).size).toBeLessThanOrEqual(300);
      for (const type of ['Route', 'Integration', 'Deployment'])
        expect(stack().of(`AWS::ApiGatewayV2::${type}`)).toEqual({});
    });

    it('sends requests in the format that the functions read, and waits longer than they run', () => {
      const longest = Object.values(stack().of('AWS::Lambda::Function'))
        .filter(({ Properties: p }) => p.Description.replace(/^payfork /, '') in ROUTES)
        .map(({ Properties: p }) => p.Timeout);
      for (const each of Object.values<Properties>(
        documentOf(stack()).components['x-amazon-apigateway-integrations'],
      )) {
        expect(each).toMatchObject({ type: 'aws_proxy', httpMethod: 'POST', payloadFormatVersion: '2.0' });
        expect(each.timeoutInMillis).toBeGreaterThan(Math.max(...longest) * 1_000);
        expect(each.timeoutInMillis).toBeLessThanOrEqual(30_000);
      }
    });

    it('names functions that exist, each by the alias that its permission is for', () => {
      const aliases = Object.values(stack().of('AWS::Lambda::Alias')).map(({ Properties: p }) => {
        const { FunctionName } = stack().of('AWS::Lambda::Function')[p.FunctionName.Ref]?.Properties ?? {};
        return `arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:${FunctionName}:${p.Name}`;
      });
      expect([...importedRoutes(stack()).values()].filter((arn) => !aliases.includes(arn ?? ''))).toEqual([]);
    });

    it('declares the parameters of each path, as API Gateway exports them', () => {
      for (const [path, item] of Object.entries<Properties>(documentOf(stack()).paths))
        expect((item.parameters ?? []).map(({ name }: { name: string }) => `{${name}}`)).toEqual(
          path.match(/\{[^}]+\}/g) ?? [],
        );
    });

    it('leaves preflights to one route of ours, as its own response would be the same for every endpoint', () => {
      expect([...importedRoutes(stack())].filter(([key]) => key.startsWith('OPTIONS'))).toEqual([
        ['OPTIONS /{proxy+}', arnOf(stack(), 'openapi')],
      ]);
      const apis = Object.values(stack().of('AWS::ApiGatewayV2::Api'));
      expect(apis.map(({ Properties }) => Properties.CorsConfiguration)).toEqual([undefined]);
      expect(JSON.stringify(documentOf(stack()))).not.toContain('x-amazon-apigateway-cors');
    });

    it('serves the address that AWS gives it, as it has no other', () => {
      const [api] = Object.values(stack().of('AWS::ApiGatewayV2::Api'));
      expect(api?.Properties.DisableExecuteApiEndpoint ?? false).toBe(false);
      expect(documentOf(stack()).servers).toEqual([
        { url: '/', 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: false } },
      ]);
      expect(stack().template.toJSON().Outputs.ApiUrl.Value['Fn::GetAtt'][1]).toBe('ApiEndpoint');
    });

    it('has one permission to invoke each function that has a route, for all of its routes', () => {
      const permissions = Object.values(stack().of('AWS::Lambda::Permission')).map(({ Properties: p }) => p);
      const called = permissions.filter(({ Principal }) => Principal === 'apigateway.amazonaws.com');
      expect(called.map(({ FunctionName }) => invokedName(stack(), FunctionName)).sort()).toEqual(
        Object.keys(ROUTES).sort(),
      );
      const [api] = Object.keys(stack().of('AWS::ApiGatewayV2::Api'));
      const arn = `arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<${api}>/*`;
      expect([...new Set(called.map(({ SourceArn }) => textOf(SourceArn)))]).toEqual([arn]);
    });

    it('logs the route and the status of a request, and nothing that a caller wrote', () => {
      const [{ Properties } = { Properties: undefined }] = Object.values(stack().of('AWS::ApiGatewayV2::Stage'));
      const format = JSON.parse(Properties.AccessLogSettings.Format);
      expect(format).toMatchObject({ routeKey: '$context.routeKey', status: '$context.status' });
      expect(
        Object.values(format).filter((field) => /path|query|protocol|header|userAgent/i.test(String(field))),
      ).toEqual([]);
      expect(textOf(Properties.AccessLogSettings.DestinationArn)).toMatch(/:log-group:\/aws\/vendedlogs\/\w+\/api:\*$/);
    });

    it('is throttled', () => {
      stack().template.allResourcesProperties('AWS::ApiGatewayV2::Stage', {
        DefaultRouteSettings: { ThrottlingRateLimit: Match.anyValue(), ThrottlingBurstLimit: Match.anyValue() },
      });
    });

    it('has throttles of their own for all routes without a counted credential, and for no other', () => {
      const [stage] = Object.values(stack().of('AWS::ApiGatewayV2::Stage'));
      const { RouteSettings, DefaultRouteSettings } = stage?.Properties ?? {};
      const open = Object.values(ROUTES)
        .flat()
        .filter((route) => isRaw(route) || route.access === 'anyone')
        .flatMap((route) => methodsOf(route).map((method) => routeKey({ ...route, method })));
      expect(Object.keys(RouteSettings).sort()).toEqual(['$default', ...open].sort());
      const limits = new Map(
        Object.entries<Properties>(RouteSettings).map(([key, each]) => [key, each.ThrottlingRateLimit]),
      );
      const whole = DefaultRouteSettings.ThrottlingRateLimit;
      for (const key of [
        '$default',
        'GET /openapi.json',
        'GET /openapi-dashboard.json',
        'POST /v1/auth/magic-link',
        'GET /v1/auth/verify',
        'GET /sign-in',
      ])
        expect(limits.get(key)).toBeLessThanOrEqual(whole / 10);
      for (const key of [
        'GET /pay/{id}',
        'GET /pay/return/{payment_id}',
        'GET /dashboard/{path+}',
        'POST /webhooks/{provider}',
      ]) {
        expect(limits.get(key)).toBeLessThanOrEqual(whole / 2);
        expect(limits.get(key)).toBeGreaterThanOrEqual(whole / 4);
      }
      // Settings of a route that does not exist would fail the deployment.
      const imported = importedRoutes(stack());
      expect(Object.keys(RouteSettings).filter((key) => !imported.has(key))).toEqual([]);
      expect(stage?.Properties.ApiId.Ref).toBe(Object.keys(stack().of('AWS::ApiGatewayV2::Api'))[0]);
    });
  });

  describe('the function URL', () => {
    it('belongs to the function that takes callbacks, without authorization and with reserved concurrency', () => {
      const [{ Properties } = { Properties: undefined }] = Object.values(stack().of('AWS::Lambda::Url'));
      const id = idOf(Properties.TargetFunctionArn);
      expect([Properties.AuthType, Properties.Qualifier]).toEqual(['NONE', ALIAS_NAME]);
      expect(functionNames(stack()).get(id)).toBe('psp-webhooks');
      expect(stack().of('AWS::Lambda::Function')[id]?.Properties.ReservedConcurrentExecutions).toBeGreaterThanOrEqual(
        10,
      );
    });

    it('is the only one', () => expect(Object.keys(stack().of('AWS::Lambda::Url'))).toHaveLength(1));

    it('and payments, pages and sign-in have reserved concurrency, and no other function has', () => {
      const reserved = Object.entries(stack().of('AWS::Lambda::Function')).flatMap(([id, { Properties: p }]) =>
        p.ReservedConcurrentExecutions === undefined
          ? []
          : [[functionNames(stack()).get(id), p.ReservedConcurrentExecutions]],
      );
      expect(Object.fromEntries(reserved)).toEqual({
        payments: 40,
        'psp-webhooks': 10,
        auth: 5,
        'hosted-pages': 10,
      });
    });
  });
}
