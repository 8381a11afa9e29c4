import { describe, expect, it } from 'vitest';
import { attemptConnectionOf } from '#shared/domain/payments/payment.machine.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import {
  credentialsOf,
  purgeAt,
  purgeCredentials,
  replaceCredentials,
} from '#shared/domain/routing/connection-credentials.rules.ts';
import { aConnection } from '#test/support/payment.builder.ts';

const day = (n: number, minute = 0) => new Date(Date.UTC(2026, 0, 1 + n, 0, minute));
const held = (mark: string) => ({ credentials_mark: mark, content_mark: mark, sealed_credentials: `sealed ${mark}` });
const first = aConnection({ ...held('a'), credentials_at: day(0).toISOString(), created_at: day(0).toISOString() });
const exchanged = (connection: Connection, mark: string, at: Date): Connection => ({
  ...connection,
  ...replaceCredentials(connection, held(mark), at),
});
const marks = ({ former }: Connection) => former.map(({ mark }) => mark);

describe('exchanged credentials', () => {
  it('are kept for 30 days', () => {
    const second = exchanged(first, 'b', day(1));
    expect(second).toMatchObject({ ...held('b'), credentials_at: day(1).toISOString() });
    expect(second.former).toEqual([
      { mark: 'a', sealed_credentials: 'sealed a', from: day(0).toISOString(), until: day(31).toISOString() },
    ]);
  });

  it('are unchanged if the same ones are sent', () =>
    expect({ ...first, ...replaceCredentials(first, { ...held('a'), sealed_credentials: 'anew' }, day(1)) }).toEqual(
      first,
    ));
  it('are unchanged if none are sent', () =>
    expect({ ...first, ...replaceCredentials(first, undefined, day(1)) }).toEqual(first));
  it('are stored again if they were purged', () =>
    expect(exchanged({ ...first, sealed_credentials: '' }, 'a', day(1)).sealed_credentials).toBe('sealed a'));
  it('are replaced without a copy by another webhook secret of the same account', () => {
    const renewed = {
      ...first,
      ...replaceCredentials(first, { ...held('a'), content_mark: 'a2', sealed_credentials: 'sealed a2' }, day(1)),
    };
    expect(renewed).toEqual({ ...first, content_mark: 'a2', sealed_credentials: 'sealed a2' });
  });
  it('are no longer former once they are current again', () =>
    expect(marks(exchanged(exchanged(first, 'b', day(1)), 'a', day(2)))).toEqual(['b']));
  it('are dropped after their 30 days', () =>
    expect(marks(exchanged(exchanged(first, 'b', day(1)), 'c', day(31)))).toEqual(['b']));

  it('drop the ones that were used for the shortest time, and are at most five', () => {
    const many = ['b', 'c', 'd', 'e', 'f', 'g', 'h'].reduce(
      (connection, mark, n) => exchanged(connection, mark, day(9, n)),
      first,
    );
    expect(many.former).toHaveLength(5);
    expect(marks(many)).toContain('a');
    expect(many.credentials_mark).toBe('h');
  });
});

describe('the credentials for an account', () => {
  const second = exchanged(first, 'b', day(1));
  it.each([
    ['are those that were used if they are current', second, { credentials_mark: 'b' }, { original: 'sealed b' }],
    [
      'are those that were used, then the current ones',
      second,
      { credentials_mark: 'a' },
      { original: 'sealed a', current: 'sealed b' },
    ],
    [
      'are the current ones if those that were used were purged',
      { ...second, former: [] },
      { credentials_mark: 'a' },
      { current: 'sealed b' },
    ],
    [
      'are none if the current ones belong to another connection with the same id',
      { ...second, former: [], generation: 2 },
      { credentials_mark: 'a' },
      {},
    ],
    [
      'are those that were used by another connection with the same id',
      { ...second, generation: 2 },
      { credentials_mark: 'a' },
      { original: 'sealed a', current: 'sealed b' },
    ],
    ['are the current ones if none were recorded', second, {}, { original: 'sealed b' }],
    [
      'are the oldest ones if neither was recorded',
      { ...second, former: [{ ...second.former[0]!, mark: undefined }] } as Connection,
      {},
      { original: 'sealed a', current: 'sealed b' },
    ],
    ['are none if all were purged', { ...first, sealed_credentials: '' }, { credentials_mark: 'a' }, {}],
  ])('%s', (_, connection, sent, expected) => expect(credentialsOf(connection, sent)).toEqual(expected));

  it('are recorded in an attempt, without a generation for the first connection', () => {
    expect(attemptConnectionOf(first)).toEqual({
      connection_id: first.id,
      provider: first.provider,
      credentials_mark: 'a',
    });
    expect(attemptConnectionOf({ ...first, generation: 2 }).generation).toBe(2);
  });
});

describe('a purge', () => {
  const three = exchanged(exchanged(first, 'b', day(1)), 'c', day(5));
  it('is due when the first of the former credentials expires', () =>
    expect([purgeAt(first), purgeAt(three)]).toEqual([undefined, day(31)]));
  it('removes the expired ones only', () => {
    expect(purgeCredentials(three, day(30))).toBeUndefined();
    expect(purgeCredentials(three, day(31))).toMatchObject({
      sealed_credentials: 'sealed c',
      former: [{ mark: 'b' }],
      version: three.version + 1,
    });
  });
  it('removes all of a deleted connection in the end', () => {
    const deleted = { ...three, deleted_at: day(6).toISOString() };
    expect(purgeCredentials(deleted, day(35))).toMatchObject({ sealed_credentials: 'sealed c', former: [] });
    expect(purgeCredentials(deleted, day(36))).toMatchObject({ sealed_credentials: '', former: [] });
    expect(purgeAt({ ...deleted, sealed_credentials: '', former: [] })).toBeUndefined();
  });
});
