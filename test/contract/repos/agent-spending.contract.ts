import { describe, expect, it } from 'vitest';
import type { AgentRequest } from '#shared/domain/accounts/agent.model.ts';
import { expiryFrom, hourOf } from '#shared/domain/accounts/agent.rules.ts';
import { describeAgentRequest, organizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import { DAY, HOUR, plus } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import { agentKeys } from '#shared/store/agent-keys.ts';
import { AgentRepo } from '#shared/store/repos/accounts/agent.repo.ts';
import { memoryStore, times } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { START } from '#test/support/stopped-clock.ts';

const KEY = 'key_00000000000000000000000001';
const LIMIT = 1_000;

/** The repository, and what becomes of a request of this amount that began so many hours after the first one. */
function spender() {
  const { table } = memoryStore();
  const agents = new AgentRepo(table);
  async function spend(hours: number, amount: number, currency = 'EUR') {
    const at = plus(START, hours * HOUR);
    const id = newId('approval', at);
    const created_at = at.toISOString();
    const request: AgentRequest = {
      ...{ id, org_id: ORG, key_id: KEY, agent_name: null, request: 'v2:hash', operation: 'POST /v1/payments' },
      ...{ scope: 'payments:write', resource_id: null, customer_id: null, description: null, terms: {} },
      ...{ amount, currency, status: 'allowed', created_at, expires_at: expiryFrom(at), used_at: created_at },
      ...{ decided_by: null, decided_at: null },
    };
    const by = { credentialId: KEY, actorId: null };
    const audit = organizationAuditEntry(describeAgentRequest('agent_acted', request), by, { seed: id, at });
    return agents.add(request, undefined, audit, { hour: hourOf(at), limit: LIMIT });
  }
  return { table, spend };
}

export function agentSpending(): void {
  describe('what the key of an agent moves within a day', () => {
    it('passes the limit by nothing, however many come at once', async () => {
      const { spend } = spender();
      const results = await times(9, () => spend(0, 200));
      expect(results.filter((result) => result === 'done')).toHaveLength(5);
    });

    it('counts for a day from any hour, and for each currency by itself', async () => {
      const { spend } = spender();
      for (const hours of [0, 6, 12, 18]) expect(await spend(hours, 250)).toBe('done');
      expect(await spend(18, 1)).toBe('over_limit');
      expect(await spend(18, LIMIT, 'USD')).toBe('done');
      expect(await spend(24, 1)).toBe('over_limit');
      expect([await spend(25, 251), await spend(25, 250)]).toEqual(['over_limit', 'done']);
      expect([await spend(31, 251), await spend(31, 250)]).toEqual(['over_limit', 'done']);
    });

    it('counts what began before the end of an hour and comes after a request of the next one', async () => {
      const { spend } = spender();
      expect([await spend(1, 600), await spend(0, 401), await spend(0, 400)]).toEqual(['done', 'over_limit', 'done']);
      expect([await spend(1, 1), await spend(2, 1)]).toEqual(['over_limit', 'over_limit']);
    });

    it('still counts the hour that a late request drops out of', async () => {
      const { spend } = spender();
      expect([await spend(0, LIMIT), await spend(25, 1)]).toEqual(['done', 'done']);
      expect(await spend(24, 1)).toBe('over_limit');
    });

    it('lies in an item that does not grow', async () => {
      const { table, spend } = spender();
      const namesAt = async (hours: number) => {
        expect(await spend(hours, 1)).toBe('done');
        return Object.keys((await table.get(agentKeys.agentSpending(KEY, 'EUR'))) ?? {}).length;
      };
      const first = await namesAt(0);
      for (let hours = 1; hours < 30; hours += 1) await namesAt(hours);
      expect(await namesAt(30)).toBe(first + 1);
      expect(await namesAt(30 + (2 * DAY) / HOUR)).toBe(first);
    });
  });
}
