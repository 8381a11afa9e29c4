import type { Stage } from '#shared/domain/reference/stage.model.ts';

/**
 * The names of the stacks, and the prefix of their tables' names. A file of its own, so that the bootstrap command need
 * not load the CDK.
 */
export const STACK_NAMES: Readonly<Record<Stage, string>> = { sandbox: 'ServiceSandbox', live: 'ServiceLive' };
