import { describe, expect, it } from 'vitest';
import { callerOf, stepMarker } from '#functions/workflow-runs/steps/step-caller.ts';
import { type HashVersions, rotationOf } from '#shared/kernel/hash-versions.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { world } from '#test/support/world.ts';

const secretOf = (version: number): string => `secret ${version}`;

async function depsAt(versions: HashVersions): Promise<Deps> {
  const { deps } = await world();
  const hashSecret = rotationOf(versions, secretOf);
  const config = {
    ...deps.config,
    hashSecret: secretOf(versions.current),
    ...(hashSecret && { rotations: { hashSecret } }),
  };
  return { ...deps, config };
}

const stepOf = (hash_version?: number) =>
  ({
    id: 'wfx_1 refund',
    execution: {
      id: 'wfx_1',
      org_id: 'org_1',
      created_at: '2026-03-01T12:00:00.000Z',
      ...(hash_version && { hash_version }),
    },
  }) as Parameters<typeof callerOf>[0];

describe('a step of a workflow that is tried again', () => {
  it('is the same operation after the hash secret was replaced, so that it refunds once', async () => {
    const seedAt = async (versions: HashVersions, begun?: number) =>
      callerOf(stepOf(begun), await depsAt(versions)).operation.seed;
    const first = await seedAt({ current: 1 });
    for (const versions of [
      { current: 1, next: 2 },
      { current: 2, previous: 1 },
      { current: 3, former: [2, 1] },
    ])
      expect(await seedAt(versions)).toBe(first);
    const second = await seedAt({ current: 2, previous: 1 }, 2);
    expect([second === first, await seedAt({ current: 3, former: [2] }, 2)]).toEqual([false, second]);
  });

  it('does nothing, and says why, if its version of the secret is not listed any more', async () => {
    const deps = await depsAt({ current: 2 });
    expect(() => stepMarker(stepOf(), deps)).toThrow('needs version 1 of hashSecret. List it as a former one.');
  });
});
