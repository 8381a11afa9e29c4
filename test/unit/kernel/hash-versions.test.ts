import { describe, expect, it } from 'vitest';
import {
  allVersions,
  formatHashVersions,
  type HashVersions,
  isHashOf,
  parseHashVersions,
  rotationOf,
  versionedHash,
} from '#shared/kernel/hash-versions.ts';

const secretOf = (version: number): string => `secret ${version}`;
const make = (secret: string): string => `hash with ${secret}`;

describe('the versions of a secret of hashes', () => {
  it.each<[string, HashVersions]>([
    ['1', { current: 1 }],
    ['1,2', { current: 1, next: 2 }],
    ['2,1', { current: 2, previous: 1 }],
    ['2;1', { current: 2, former: [1] }],
    ['3,2;1', { current: 3, previous: 2, former: [1] }],
    ['3,4;1,2', { current: 3, next: 4, former: [1, 2] }],
  ])('are read from %s, and written as the same', (text, versions) => {
    expect(parseHashVersions(text)).toEqual(versions);
    expect(formatHashVersions(versions)).toBe(text);
  });

  it.each([
    ['', 'Versions are whole numbers from 1'],
    ['0', 'Versions are whole numbers from 1'],
    ['01', 'Versions are whole numbers from 1'],
    ['one', 'Versions are whole numbers from 1'],
    ['1,', 'Versions are whole numbers from 1'],
    ['2;', 'Versions are whole numbers from 1'],
    ['1,2,3', 'too many parts'],
    ['2;1;1', 'too many parts'],
    ['2,2', 'A version is named twice.'],
    ['2,1;1', 'A version is named twice.'],
    ['2;3', 'Earlier versions must be lower than 2.'],
    ['10000', 'Versions are whole numbers from 1'],
  ])('are refused with the form that they have: %j', (text, message) => {
    expect(() => parseHashVersions(text)).toThrow(message);
    expect(() => parseHashVersions(text)).toThrow('Write the version that makes new hashes');
  });

  it('need nothing besides the secret if there is only the first', () => {
    expect(rotationOf({ current: 1 }, secretOf)).toBeUndefined();
    expect(rotationOf({ current: 2 }, secretOf)).toEqual({ version: 2, others: [] });
  });

  it('are all asked for, the current one first and the others from the newest to the oldest', () => {
    expect(allVersions({ current: 3, next: 4, former: [1, 2] })).toEqual([3, 4, 2, 1]);
  });
});

describe('a hash', () => {
  const at = (versions: HashVersions) => ({
    secret: secretOf(versions.current),
    rotation: rotationOf(versions, secretOf),
  });
  const changed = at({ current: 2, previous: 1 });
  const made = ({ secret, rotation }: typeof changed, of?: number): string =>
    rotation ? versionedHash(secret, rotation, make, of) : make(secret);
  const isOurs = (hash: string, { secret, rotation }: typeof changed) => isHashOf(hash, secret, rotation, make);

  it('of the first version looks as it always did, and of a later one says its version', () => {
    expect([made(at({ current: 1 })), made(at({ current: 1, next: 2 })), made(changed)]).toEqual([
      'hash with secret 1',
      'hash with secret 1',
      'v2~hash with secret 2',
    ]);
  });

  it.each<[string, HashVersions, boolean, boolean]>([
    ['before the change', { current: 1 }, true, false],
    ['when the next version is announced', { current: 1, next: 2 }, true, true],
    ['when the next version is in use', { current: 2, previous: 1 }, true, true],
    ['while the first one is a former version', { current: 2, former: [1] }, true, true],
    ['when the first one is no longer listed', { current: 2 }, false, true],
  ])('is accepted if its version is listed: %s', (_, versions, first, second) => {
    expect([isOurs('hash with secret 1', at(versions)), isOurs('v2~hash with secret 2', at(versions))]).toEqual([
      first,
      second,
    ]);
  });

  it('is not accepted under the marker of another version', () => {
    for (const forged of [
      'v2~hash with secret 1',
      'hash with secret 2',
      'v1~hash with secret 2',
      'v3~hash with secret 2',
    ])
      expect(isOurs(forged, changed)).toBe(false);
  });

  it('can be made again with the version that it was first made with', () => {
    expect([made(changed, 1), made(at({ current: 3, former: [2, 1] }), 2)]).toEqual([
      'hash with secret 1',
      'v2~hash with secret 2',
    ]);
  });
});
