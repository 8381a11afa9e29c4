// Written by `npm run client` from the route table. Do not edit.
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
   * `POST /v1/routing/simulate`: Requires the scope `connections:read`. Counts among the 500 reads a minute.
   */
  simulateRouting: (input: SimulateRouting, options?: RequestOptions): Promise<RoutingSimulation> =>
    call.changeOnce('POST', '/v1/routing/simulate', input, options),

  /**
   * Replay payments against edited routing rules.
   * `POST /v1/routing/replay`: Requires the scope `connections:read`. Counts among the 100 other writes a minute.
   */
  replayRouting: (input: ReplayRouting, options?: RequestOptions): Promise<RoutingReplay> =>
    call.changeOnce('POST', '/v1/routing/replay', input, options),
});
