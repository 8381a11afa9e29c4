import { describe, expect, it } from 'vitest';
import { sentThrough } from '#shared/domain/payments/payment.machine.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import {
  credentialsOf,
  exchangeCredentials,
  purgeAt,
  purgeCredentials,
} from '#shared/domain/routing/connection-credentials.rules.ts';
import { aConnection } from '#test/support/payment.builder.ts';

const day = (n: number, minute = 0) => new Date(Date.UTC(2026, 0, 1 + n, 0, minute));
const held = (mark: string) => ({ credentials_mark: mark, content_mark: mark, sealed_credentials: `sealed ${mark}` });
const first = aConnection({ ...held('a'), credentials_at: day(0).toISOString(), created_at: day(0).toISOString() });
const exchanged = (connection: Connection, mark: string, at: Date): Connection => ({
  ...connection,
  ...exchangeCredentials(connection, held(mark), at),
});
const marks = ({ former }: Connection) => former.map(({ mark }) => mark);

describe('credentials that are exchanged', () => {
  it('are kept for 30 days', () => {
    const second = exchanged(first, 'b', day(1));
    expect(second).toMatchObject({ ...held('b'), credentials_at: day(1).toISOString() });
    expect(second.former).toEqual([
      { mark: 'a', sealed_credentials: 'sealed a', from: day(0).toISOString(), until: day(31).toISOString() },
    ]);
  });

  it('stay as they are where they are the same', () =>
    expect({ ...first, ...exchangeCredentials(first, { ...held('a'), sealed_credentials: 'anew' }, day(1)) }).toEqual(
      first,
    ));
  it('stay as they are where none are sent', () =>
    expect({ ...first, ...exchangeCredentials(first, undefined, day(1)) }).toEqual(first));
  it('are taken anew where they were purged', () =>
    expect(exchanged({ ...first, sealed_credentials: '' }, 'a', day(1)).sealed_credentials).toBe('sealed a'));
  it('make way for another webhook secret of the same account, and are gone at once', () => {
    const renewed = {
      ...first,
      ...exchangeCredentials(first, { ...held('a'), content_mark: 'a2', sealed_credentials: 'sealed a2' }, day(1)),
    };
    expect(renewed).toEqual({ ...first, content_mark: 'a2', sealed_credentials: 'sealed a2' });
  });
  it('are no former ones once they are back', () =>
    expect(marks(exchanged(exchanged(first, 'b', day(1)), 'a', day(2)))).toEqual(['b']));
  it('leave out what has been kept for long enough', () =>
    expect(marks(exchanged(exchanged(first, 'b', day(1)), 'c', day(31)))).toEqual(['b']));

  it('push out those that were used for the shortest time, and of none more than five stay', () => {
    const many = ['b', 'c', 'd', 'e', 'f', 'g', 'h'].reduce(
      (connection, mark, n) => exchanged(connection, mark, day(9, n)),
      first,
    );
    expect(many.former).toHaveLength(5);
    expect(marks(many)).toContain('a');
    expect(many.credentials_mark).toBe('h');
  });
});

describe('an account is opened', () => {
  const second = exchanged(first, 'b', day(1));
  it.each([
    ['with what was used, where it is that still', second, { credentials_mark: 'b' }, { own: 'sealed b' }],
    [
      'with what was used, else with what there is now',
      second,
      { credentials_mark: 'a' },
      { own: 'sealed a', now: 'sealed b' },
    ],
    [
      'with what there is now, where the other is kept no more',
      { ...second, former: [] },
      { credentials_mark: 'a' },
      { now: 'sealed b' },
    ],
    [
      'by nobody, where that is another connection’s',
      { ...second, former: [], generation: 2 },
      { credentials_mark: 'a' },
      {},
    ],
    [
      'with what was used of another connection',
      { ...second, generation: 2 },
      { credentials_mark: 'a' },
      { own: 'sealed a', now: 'sealed b' },
    ],
    ['with what there is now, where nothing was noted', second, {}, { own: 'sealed b' }],
    [
      'with what used to be, where neither was noted',
      { ...second, former: [{ ...second.former[0]!, mark: undefined }] } as Connection,
      {},
      { own: 'sealed a', now: 'sealed b' },
    ],
    ['by nobody, where nothing is left', { ...first, sealed_credentials: '' }, { credentials_mark: 'a' }, {}],
  ])('%s', (_, connection, sent, expected) => expect(credentialsOf(connection, sent)).toEqual(expected));

  it('by an attempt of a first connection without a generation', () => {
    expect(sentThrough(first)).toEqual({ connection_id: first.id, provider: first.provider, credentials_mark: 'a' });
    expect(sentThrough({ ...first, generation: 2 }).generation).toBe(2);
  });
});

describe('a purge', () => {
  const three = exchanged(exchanged(first, 'b', day(1)), 'c', day(5));
  it('is due when the first of them is', () => expect([purgeAt(first), purgeAt(three)]).toEqual([undefined, day(31)]));
  it('takes what is due, and leaves the rest', () => {
    expect(purgeCredentials(three, day(30))).toBeUndefined();
    expect(purgeCredentials(three, day(31))).toMatchObject({
      sealed_credentials: 'sealed c',
      former: [{ mark: 'b' }],
      version: three.version + 1,
    });
  });
  it('takes all of a deleted connection in the end', () => {
    const deleted = { ...three, deleted_at: day(6).toISOString() };
    expect(purgeCredentials(deleted, day(35))).toMatchObject({ sealed_credentials: 'sealed c', former: [] });
    expect(purgeCredentials(deleted, day(36))).toMatchObject({ sealed_credentials: '', former: [] });
    expect(purgeAt({ ...deleted, sealed_credentials: '', former: [] })).toBeUndefined();
  });
});
