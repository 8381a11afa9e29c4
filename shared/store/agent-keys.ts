import { randomBits } from '#shared/kernel/ids.ts';
import type { Key } from '#shared/store/table/table.port.ts';

/** Apart from the other keys, so that what charges does not load them: only agents' requests use these. */
export const agentKeys = {
  agentLimits: (orgId: string): Key => ({ pk: `AGENTS#${orgId}`, sk: 'LIMITS' }),
  agentRequest: (id: string): Key => ({ pk: `AGENT#${randomBits(id)}`, sk: 'AGENT' }),
  agentSpending: (keyId: string, currency: string): Key => ({ pk: `AGENTDAY#${keyId}`, sk: currency }),
};

export const agentIndexKeys = {
  /** Requests that have waited for a person. */
  agentApprovals: (orgId: string): string => `@agent#${orgId}`,
  /** Contains a request only while it waits. */
  agentsWaiting: (orgId: string): string => `@agent#${orgId}#waiting`,
};
