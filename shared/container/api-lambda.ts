import { httpLambda } from '#shared/container/http-lambda.ts';
import { type KmsBase, startWithKms } from '#shared/container/kms.container.ts';
import { type Built, build, type Parts } from '#shared/container/parts.ts';
import {
  agents,
  claims,
  failureLog,
  keys,
  organizations,
  passkeys,
  platform,
  rates,
  sessions,
  users,
} from '#shared/container/store-parts.ts';
import { apiRouter } from '#shared/http/api-router.ts';
import type { Route } from '#shared/http/route.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** What the middleware of every endpoint needs. */
const API_PARTS = { agents, claims, failureLog, keys, organizations, passkeys, platform, rates, sessions, users };

type ApiDeps = Pick<Deps, 'clock' | 'config' | 'log' | 'vault'> & Built<typeof API_PARTS>;

/** The entry point of a function that serves endpoints of the API. `parts`: what its use cases need besides. */
export const apiLambda = <P extends Parts<KmsBase>>(routes: readonly Route<ApiDeps & NoInfer<Built<P>>>[], parts: P) =>
  httpLambda(
    startWithKms((base) => ({ ...build(API_PARTS, base), ...build(parts, base) })),
    (deps) => apiRouter<ApiDeps & Built<P>>(routes, deps),
  );
