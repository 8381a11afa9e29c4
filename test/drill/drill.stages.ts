import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { STACK_NAMES } from '#lib/aws/stack-names.ts';

const mail = { from: 'payments@shop.example' };

/** Both stages as a deployment of its own settles them: with what the emulator can take. */
export const DRILLED: readonly PayforkSettings[] = [
  { name: STACK_NAMES.sandbox, stage: 'sandbox', mail },
  { name: STACK_NAMES.live, stage: 'live', mail },
];
