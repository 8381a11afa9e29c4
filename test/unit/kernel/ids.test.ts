import { randomBytes } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { describe, expect, it } from 'vitest';
import {
  ID_PREFIX,
  type IdKind,
  idFrom,
  isId,
  newId,
  nthId,
  randomBits,
  randomOnce,
  sha256Hex,
} from '#shared/kernel/ids.ts';

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

describe('the text of an id', () => {
  const bytesOf = (id: string) => Buffer.from(TypeID.fromString(id).toUUIDBytes());

  it('is the one of the public TypeID format, and leads back to its bytes', () => {
    const bits = [Buffer.alloc(10), Buffer.alloc(10, 0xff), ...Array.from({ length: 500 }, () => randomBytes(10))];
    for (const [n, each] of bits.entries()) {
      const id = idFrom('payment', new Date(at.getTime() * (n % 3)), each);
      expect(TypeID.fromUUIDBytes('pay', bytesOf(id)).toString()).toBe(id);
      expect(randomBits(id)).toBe(bytesOf(id).subarray(6).toString('hex'));
    }
  });

  it.each(Object.keys(ID_PREFIX) as IdKind[])('is of its own kind only: %s', (kind) => {
    const id = newId(kind, at);
    const kinds = (Object.keys(ID_PREFIX) as IdKind[]).filter((each) => isId(each, id));
    expect(kinds).toEqual([kind]);
  });

  it.each([
    '',
    'pay_',
    'pay_8zzzzzzzzzzzzzzzzzzzzzzzzz',
    'pay_01jdsv7v00e00000000000000u',
    'pay_01jdsv7v00e0000000000000',
  ])('is not what is no id: %j', (text) => {
    expect(isId('payment', text)).toBe(false);
    expect(() => randomBits(text)).toThrow('is no id');
  });
});

describe('random bytes for ids', () => {
  it('are never the same ones twice', () => {
    const seen = Array.from({ length: 5_000 }, (_, n) => randomOnce(8 + (n % 3)).toString('hex'));
    expect(new Set(seen).size).toBe(seen.length);
  });
});

it('the stored hash of a key or token is its SHA-256 in hex', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
