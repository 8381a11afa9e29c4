import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { STACK_NAMES } from '#lib/aws/stack-names.ts';

/**
 * What is deployed: two stacks for each line, `<name>` and `<name>State`. Whoever deploys states here what is true of
 * their accounts: domain, mail, capacity and the rest of `PayforkSettings`. A further cell, or the stage of a branch, is
 * one more line: `{ name: 'ServiceBranch', stage: 'sandbox' }`.
 */
export const DEPLOYMENT: readonly PayforkSettings[] = [
  { name: STACK_NAMES.sandbox, stage: 'sandbox' },
  { name: STACK_NAMES.live, stage: 'live' },
];
