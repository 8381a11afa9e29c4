import { describe, expect, it } from 'vitest';
import { isId, nthId, sha256Hex } from '#shared/kernel/ids.ts';

const at = new Date('2026-11-28T12:00:00.000Z');

describe('generated ids', () => {
  it('sort by their counter within one millisecond', () => {
    const ids = Array.from({ length: 4_096 }, (_, n) => nthId('invoice', at, n, 'sub_1'));
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => isId('invoice', id))).toBe(true);
  });

  it('sort by time before the counter', () => {
    const later = new Date(at.getTime() + 1);
    expect(nthId('invoice', at, 4_095, 'sub_1') < nthId('invoice', later, 0, 'sub_1')).toBe(true);
  });

  it('are derived from their input, and differ with it', () => {
    expect(nthId('invoice', at, 3, 'sub_1')).toBe(nthId('invoice', at, 3, 'sub_1'));
    expect(nthId('invoice', at, 3, 'sub_1')).not.toBe(nthId('invoice', at, 3, 'sub_2'));
    expect(nthId('invoice', at, 4_096, 'sub_1')).not.toBe(nthId('invoice', at, 0, 'sub_1'));
  });
});

it('the stored hash of a key or token is its SHA-256 in hex', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
