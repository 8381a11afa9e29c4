// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type {
  ReplayRouting,
  RoutingReplay,
  RoutingSimulation,
  SimulateRouting,
} from './schemas.ts';

export const routingSimulator = (call: Call) => ({
  /**
   * Simulate the routing of a payment.
   * `POST /v1/routing/simulate`: Requires the scope `connections:read`.
   * With examples at `/docs/api/routing-simulator#simulateRouting`.
   */
  simulateRouting: (input: SimulateRouting, options?: RequestOptions): ApiPromise<RoutingSimulation> =>
    call.changeOnce('POST', '/v1/routing/simulate', input, options),

  /**
   * Replay payments against edited routing rules.
   * `POST /v1/routing/replay`: Requires the scope `connections:read`.
   * With examples at `/docs/api/routing-simulator#replayRouting`.
   */
  replayRouting: (input: ReplayRouting, options?: RequestOptions): ApiPromise<RoutingReplay> =>
    call.changeOnce('POST', '/v1/routing/replay', input, options),
});
