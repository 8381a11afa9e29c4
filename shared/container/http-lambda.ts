import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import type { Start } from '#shared/container/stateless.container.ts';
import { behindFront, type FrontConfig } from '#shared/http/behind-front.ts';
import type { Handler } from '#shared/http/handler.ts';

/** The entry point of a function that answers requests. */
export const httpLambda = <D extends { readonly config: FrontConfig }>(start: Start<D>, make: (deps: D) => Handler) =>
  lambdaHandler(start, (deps) => behindFront(make(deps), deps.config));
