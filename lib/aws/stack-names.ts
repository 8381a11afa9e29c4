import type { Stage } from '#shared/domain/reference/stage.model.ts';

/**
 * The names of the service stacks, and the prefix of every fixed name in them. A file of its own, so that commands need
 * not load the CDK.
 */
export const STACK_NAMES: Readonly<Record<Stage, string>> = { sandbox: 'ServiceSandbox', live: 'ServiceLive' };

/** The alias of every function: whatever invokes a function names it, so that a roll-out decides which version runs. */
export const ALIAS_NAME = 'current';

/** Stands for a function's name in the name of the role that people take to run commands. */
export const OPERATOR = 'operator';

/**
 * Names that a service stack and its state stack both know, from the name of the service stack. They join the two, so
 * that either can be deployed, replaced or thrown away without the other. Renaming one of them replaces what has it.
 */
export function resourceNames(stackName: string) {
  const [usual] = Object.entries(STACK_NAMES).find(([, name]) => name === stackName) ?? [];
  return {
    stateStack: `${stackName}State`,
    table: `${stackName}-table`,
    /** The name space of the service's own metrics. */
    metrics: `payfork/${usual ?? stackName}`,
    bus: `${stackName}-events`,
    scheduleGroup: `${stackName}-schedules`,
    function: (functionName: string): string => `${stackName}-${functionName}`,
    /** Roles have one name space for all regions of an account. */
    role: (functionName: string, region: string): string => `${stackName}-${region}-${functionName}`,
    logGroup: (functionName: string): string => `/${stackName}/functions/${functionName}`,
    /** API Gateway has one policy for all logs with this prefix. For any other it adds to one that is soon full. */
    accessLog: `/aws/vendedlogs/${stackName}/api`,
    /** `name`: a queue that has dead letters of its own, `bus` or `stream`. */
    deadLetters: (name: string): string => `${stackName}-${name}-dead-letters`,
    /** A queue of the service. CloudFormation names it, after the stack and the logical id that CDK makes of its name. */
    queuePattern: (queue: string): string => `${stackName}-${queue.replaceAll('-', '')}Queue*`,
    keyAlias: (key: string): string => `alias/${stackName}-${key}`,
    /** Parameters of SSM, for what AWS gives no fixed name: a key's ARN, by the name of the key, and the stream's. */
    keyParameter: (key: string): string => `/${stackName}/keys/${key}`,
    streamParameter: `/${stackName}/table/stream`,
    backupVault: `${stackName}-backups`,
  } as const;
}

export type ResourceNames = ReturnType<typeof resourceNames>;
