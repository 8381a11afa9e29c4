import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '#functions/route-table.ts';
import { methodsOf, routeKey } from '#shared/http/route.ts';
import { functionNames } from '#test/cdk/stack/function-names.support.ts';
import { idOf, type Synthesized } from '#test/cdk/synthesized.support.ts';

const LINES = Object.entries(ROUTES).flatMap(([group, routes]) =>
  routes.flatMap((route) => methodsOf(route).map((method) => [routeKey({ ...route, method }), group] as const)),
);

/** Each route's function. */
function deployedRoutes(stack: Synthesized): ReadonlyMap<string, string | undefined> {
  const integrations = stack.of('AWS::ApiGatewayV2::Integration');
  const names = functionNames(stack);
  const routes = Object.values(stack.of('AWS::ApiGatewayV2::Route')).map(({ Properties: { RouteKey, Target } }) => {
    const integration = integrations[idOf(Target['Fn::Join'][1][1])];
    return [RouteKey, names.get(idOf(integration?.Properties.IntegrationUri))] as const;
  });
  return new Map(routes);
}

export function routesContract(stack: () => Synthesized): void {
  describe('the API', () => {
    it.each(LINES)('routes %s to %s', (key, group) => expect(deployedRoutes(stack()).get(key)).toBe(group));

    it('has no other route except the default, which answers 404', () => {
      const deployed = deployedRoutes(stack());
      expect([...deployed.keys()].sort()).toEqual(['$default', ...LINES.map(([key]) => key)].sort());
      expect(deployed.get('$default')).toBe('openapi');
    });

    it('leaves preflights to one route of ours, as its own response would be the same for every endpoint', () => {
      expect([...deployedRoutes(stack())].filter(([key]) => key.startsWith('OPTIONS'))).toEqual([
        ['OPTIONS /{proxy+}', 'openapi'],
      ]);
      const apis = Object.values(stack().of('AWS::ApiGatewayV2::Api'));
      expect(apis.map(({ Properties }) => [Properties.ProtocolType, Properties.CorsConfiguration])).toEqual([
        ['HTTP', undefined],
      ]);
    });

    it('serves the address that AWS gives it, as it has no other', () => {
      const [api] = Object.values(stack().of('AWS::ApiGatewayV2::Api'));
      expect(api?.Properties.DisableExecuteApiEndpoint ?? false).toBe(false);
      expect(stack().template.toJSON().Outputs.ApiUrl.Value['Fn::GetAtt'][1]).toBe('ApiEndpoint');
    });

    it('has one permission to invoke each function that has a route', () => {
      const permissions = Object.values(stack().of('AWS::Lambda::Permission')).map(({ Properties: p }) => p);
      const called = permissions.filter(({ Principal }) => Principal === 'apigateway.amazonaws.com');
      const names = called.map(({ FunctionName }) => functionNames(stack()).get(idOf(FunctionName)));
      expect([...names].sort()).toEqual([...Object.keys(ROUTES), 'openapi'].sort());
      expect(
        called.map(({ SourceArn }) => SourceArn['Fn::Join'][1].at(-1)).filter((end) => end === '/*/*'),
      ).toHaveLength(1);
    });

    it('logs the route and the status of a request, and nothing that a caller wrote', () => {
      const [{ Properties } = { Properties: undefined }] = Object.values(stack().of('AWS::ApiGatewayV2::Stage'));
      const format = JSON.parse(Properties.AccessLogSettings.Format);
      expect(format).toMatchObject({ routeKey: '$context.routeKey', status: '$context.status' });
      expect(
        Object.values(format).filter((field) => /path|query|protocol|header|userAgent/i.test(String(field))),
      ).toEqual([]);
      expect(stack().of('AWS::Logs::LogGroup')[idOf(Properties.AccessLogSettings.DestinationArn)]).toBeDefined();
    });

    it('is throttled', () => {
      stack().template.allResourcesProperties('AWS::ApiGatewayV2::Stage', {
        DefaultRouteSettings: { ThrottlingRateLimit: Match.anyValue(), ThrottlingBurstLimit: Match.anyValue() },
      });
    });

    it('has throttles of their own for the routes that anyone can call, so that these cannot use up the stage', () => {
      const [stage] = Object.values(stack().of('AWS::ApiGatewayV2::Stage'));
      const { RouteSettings, DefaultRouteSettings } = stage?.Properties ?? {};
      const routes = Object.entries(stack().of('AWS::ApiGatewayV2::Route'));
      const open = routes.filter(([, { Properties }]) =>
        /^\$default$|^OPTIONS |\/openapi\.json$|\/v1\/auth\//.test(Properties.RouteKey),
      );
      expect(Object.keys(RouteSettings).sort()).toEqual(open.map(([, { Properties }]) => Properties.RouteKey).sort());
      expect(Object.keys(RouteSettings)).toEqual(
        expect.arrayContaining(['$default', 'GET /openapi.json', 'POST /v1/auth/magic-link', 'GET /v1/auth/verify']),
      );
      for (const { ThrottlingRateLimit } of Object.values<{ ThrottlingRateLimit: number }>(RouteSettings))
        expect(ThrottlingRateLimit).toBeLessThanOrEqual(DefaultRouteSettings.ThrottlingRateLimit / 10);
      // Settings of a route that does not exist yet would fail the deployment.
      expect(stage?.DependsOn).toEqual(expect.arrayContaining(open.map(([id]) => id)));
    });
  });

  describe('the function URL', () => {
    it('belongs to the function that takes callbacks, without authorization and with reserved concurrency', () => {
      const [{ Properties } = { Properties: undefined }] = Object.values(stack().of('AWS::Lambda::Url'));
      const id = idOf(Properties.TargetFunctionArn);
      expect(Properties.AuthType).toBe('NONE');
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
