import { describe, expect, it } from 'vitest';
import {
  grownCapacity,
  type ListShardCount,
  listShardsAt,
  MAX_CAPACITY_AGE,
  maxListShards,
} from '#shared/domain/accounts/capacity.rules.ts';
import { MINUTE, SECOND } from '#shared/kernel/clock.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const AT_16 = grownCapacity(undefined, 16, START);

describe('the capacity of an organization', () => {
  it('is four partitions at first', () =>
    expect([listShardsAt(undefined, START), maxListShards(undefined)]).toEqual([4, 4]));

  it('is read from all partitions at once, and written to them a minute later', () => {
    expect([maxListShards(AT_16), listShardsAt(AT_16, later(MINUTE - 1)), listShardsAt(AT_16, later(MINUTE))]).toEqual([
      16, 4, 16,
    ]);
  });

  it('is known to every process well before it is written', () =>
    expect(2 * MAX_CAPACITY_AGE).toBeLessThanOrEqual(MINUTE));

  it('may grow again before the first growth has taken effect', () => {
    const twice = grownCapacity(AT_16, 64, later(10 * SECOND));
    expect([maxListShards(twice), listShardsAt(twice, later(MINUTE)), listShardsAt(twice, later(70 * SECOND))]).toEqual(
      [64, 4, 64],
    );
  });

  it('stays as it is when the same number is set again', () =>
    expect(grownCapacity(AT_16, 16, later(MINUTE))).toBe(AT_16));

  it.each<[ListShardCount, number]>([
    [4, 1],
    [16, 4],
    [64, 16],
  ])('of %i partitions has %i copies of the routing snapshot', (count, copies) =>
    expect(grownCapacity(undefined, count, START).routing_copies).toBe(copies),
  );

  it('never shrinks', () => expect(() => grownCapacity(AT_16, 4, later(MINUTE))).toThrow('Choose 16 or more.'));
});
