import { describe, expect, it } from 'vitest';
import { RecentPages } from '#lib/local/recent-pages.ts';
import { StreamFollower } from '#lib/local/stream-follower.ts';
import { streamPositions } from '#lib/local/stream-positions.ts';
import type { StreamSource } from '#lib/local/stream-source.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';

type FakeShard = { readonly id: string; readonly parent?: string; seqs: readonly string[]; closed?: boolean };

const failure = (name: string) => Object.assign(new Error(name), { name });

/** A stream with readable positions in its iterators; each of `troubles` fails the next page request. */
function aStream(shards: readonly FakeShard[], troubles: string[] = []) {
  const asked: string[] = [];
  const source: StreamSource = {
    shards: async () => shards,
    iterator: async (shard, after) => `${shard} ${after ?? ''}`,
    page: async (iterator) => {
      asked.push(iterator);
      const trouble = troubles.shift();
      if (trouble) throw failure(trouble);
      const [id = '', after = ''] = iterator.split(' ');
      const { seqs, closed } = shards.find((shard) => shard.id === id)!;
      const [seq] = seqs.filter((each) => each > after);
      const records = seq === undefined ? [] : [{ seq, key: { pk: id, sk: seq } }];
      return { records, iterator: closed && seq === undefined ? undefined : `${id} ${seq ?? after}` };
    },
  };
  return { source, asked };
}

const aFollower = ({ source }: { source: StreamSource }, database = openDatabase(':memory:')) =>
  new StreamFollower(source, streamPositions(database, 'relay'));

async function readAll(follower: StreamFollower): Promise<string[]> {
  const got: string[] = [];
  for (let records = await follower.read(10); records.length > 0; records = await follower.read(10)) {
    got.push(...records.map(({ key, seq }) => `${key.pk}${seq}`));
    await follower.checkpoint(records.at(-1)!.seq);
  }
  return got;
}

describe('following a stream', () => {
  it('reads child shards after their parent, and the parent once', async () => {
    const family: FakeShard[] = [
      { id: 'b', parent: 'a', seqs: ['3'] },
      { id: 'c', parent: 'a', seqs: ['4'] },
      { id: 'a', seqs: ['1', '2'], closed: true },
    ];
    const database = openDatabase(':memory:');
    expect(await readAll(aFollower(aStream(family), database))).toEqual(['a1', 'a2', 'b3', 'c4']);
    expect(await readAll(aFollower(aStream(family), database))).toEqual([]);
  });

  it('reads a child shard at once if its parent has expired', async () => {
    expect(await readAll(aFollower(aStream([{ id: 'b', parent: 'a', seqs: ['3'] }])))).toEqual(['b3']);
  });

  it('finds the successors of a shard when it ends', async () => {
    const shards: FakeShard[] = [{ id: 'a', seqs: ['1'] }];
    const follower = aFollower(aStream(shards));
    expect(await readAll(follower)).toEqual(['a1']);
    shards[0]!.closed = true;
    expect(await readAll(follower)).toEqual([]);
    shards.push({ id: 'b', parent: 'a', seqs: ['2'] });
    expect(await readAll(follower)).toEqual(['b2']);
  });

  it('does not let one shard wait for a busy one', async () => {
    const shards: FakeShard[] = [
      { id: 'a', seqs: ['1', '2', '3'] },
      { id: 'b', seqs: ['4'] },
    ];
    expect(await readAll(aFollower(aStream(shards)))).toEqual(['a1', 'b4', 'a2', 'a3']);
  });

  it('continues after what it has read when an iterator has expired', async () => {
    const troubles: string[] = [];
    const follower = aFollower(aStream([{ id: 'a', seqs: ['1', '2'] }], troubles));
    const [first] = await follower.read(1);
    await follower.checkpoint(first!.seq);
    troubles.push('ExpiredIteratorException');
    expect(await readAll(follower)).toEqual(['a2']);
  });

  it('continues with the oldest record when the wanted one has expired', async () => {
    const shards: FakeShard[] = [{ id: 'a', seqs: ['1'] }];
    const database = openDatabase(':memory:');
    await readAll(aFollower(aStream(shards), database));
    shards[0]!.seqs = ['7', '8'];
    const stream = aStream(shards, ['TrimmedDataAccessException']);
    expect(await readAll(aFollower(stream, database))).toEqual(['a7', 'a8']);
    expect(stream.asked.slice(0, 2)).toEqual(['a 1', 'a ']);
  });

  it('passes on other errors, and continues from there', async () => {
    const follower = aFollower(aStream([{ id: 'a', seqs: ['1', '2'] }], ['InternalServerError']));
    await expect(follower.read(1)).rejects.toThrow('InternalServerError');
    expect(await readAll(follower)).toEqual(['a1', 'a2']);
  });
});

describe('two consumers of a stream', () => {
  const two = (stream: { source: StreamSource }) => {
    const [database, recent] = [openDatabase(':memory:'), new RecentPages()];
    return ['relay', 'projector'].map(
      (name) => new StreamFollower(stream.source, streamPositions(database, name), recent),
    );
  };

  it('each get all records, and those that one has read are not asked for again', async () => {
    const stream = aStream([{ id: 'a', seqs: ['1', '2', '3'] }]);
    for (const follower of two(stream)) expect(await readAll(follower)).toEqual(['a1', 'a2', 'a3']);
    expect(stream.asked).toEqual(['a ', 'a 1', 'a 2', 'a 3', 'a 3']);
  });

  it('each get all records when they read at the same time', async () => {
    const stream = aStream([{ id: 'a', seqs: ['1', '2'] }]);
    expect(await Promise.all(two(stream).map(readAll))).toEqual([
      ['a1', 'a2'],
      ['a1', 'a2'],
    ]);
    expect(stream.asked.filter((iterator) => iterator !== 'a 2')).toEqual(['a ', 'a 1']);
  });

  it('find a record that was written after the other one had found nothing', async () => {
    const shards: FakeShard[] = [{ id: 'a', seqs: [] }];
    const followers = two(aStream(shards));
    expect(await readAll(followers[0]!)).toEqual([]);
    shards[0]!.seqs = ['1'];
    for (const follower of followers) expect(await readAll(follower)).toEqual(['a1']);
  });

  it('read on when the other one’s request fails', async () => {
    const [first, second] = two(aStream([{ id: 'a', seqs: ['1'] }], ['InternalServerError']));
    await expect(first!.read(1)).rejects.toThrow('InternalServerError');
    expect([await readAll(second!), await readAll(first!)]).toEqual([['a1'], ['a1']]);
  });

  it('that are far apart get all records, too', async () => {
    const seqs = Array.from({ length: 9 }, (_, n) => `${n + 1}`);
    for (const follower of two(aStream([{ id: 'a', seqs }])))
      expect(await readAll(follower)).toEqual(seqs.map((seq) => `a${seq}`));
  });
});
