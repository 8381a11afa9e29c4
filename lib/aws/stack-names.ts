import type { Stage } from '#shared/domain/reference/stage.model.ts';

/** What CloudFormation calls the stacks, and begins the names of their tables with. */
export const STACK_NAMES: Readonly<Record<Stage, string>> = { sandbox: 'ServiceSandbox', live: 'ServiceLive' };
