import { replayRouting } from '#functions/routing-simulator/replay-routing.usecase.ts';
import {
  ReplayRoutingBody,
  ReplayRoutingReply,
  SimulateRoutingBody,
  SimulateRoutingReply,
} from '#functions/routing-simulator/routing-simulator.schema.ts';
import { simulateRouting } from '#functions/routing-simulator/simulate-routing.usecase.ts';
import { post } from '#shared/http/route.ts';

/** A function of its own: it changes nothing, and may open no secret. */
export const routingSimulatorRoutes = [
  post('/v1/routing/simulate', {
    scope: 'connections:read',
    rate: 'reads',
    idempotency: 'none',
    agents: 'may',
    summary: 'Simulate the routing of a payment',
    body: SimulateRoutingBody,
    reply: SimulateRoutingReply,
    prefetch: true,
    run: simulateRouting,
  }),
  post('/v1/routing/replay', {
    scope: 'connections:read',
    idempotency: 'none',
    agents: 'may',
    summary: 'Replay payments against edited routing rules',
    body: ReplayRoutingBody,
    reply: ReplayRoutingReply,
    prefetch: true,
    run: replayRouting,
  }),
];
