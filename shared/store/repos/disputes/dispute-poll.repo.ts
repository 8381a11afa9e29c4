import { DAY, HOUR, plus } from '#shared/kernel/clock.ts';
import type { DisputePoll, DisputePollsPort } from '#shared/ports/disputes.port.ts';
import { dueEntry, keys } from '#shared/store/keys.ts';
import { putWithNonce } from '#shared/store/put-with-nonce.ts';
import { RecentReads } from '#shared/store/recent-reads.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';

/** Activity is written at most so often. */
const ACTIVITY_INTERVAL = DAY;
/** Each process looks so often whether a connection is polled. */
const CHECK_INTERVAL = HOUR;

export class DisputePollRepo implements DisputePollsPort {
  readonly #table: TablePort;
  readonly #started = new RecentReads<void>(CHECK_INTERVAL);
  constructor(table: TablePort) {
    this.#table = table;
  }

  /** One that was stopped begins again. */
  start(of: Pick<DisputePoll, 'org_id' | 'connection_id'>, since: Date, at: Date): Promise<void> {
    return this.#started.read(nameOf(of), at, async () => {
      const item = await this.#table.get(keys.disputePoll(of.org_id, of.connection_id), { consistent: true });
      const known = item && fromItem(item);
      if (known && plus(known.active_at, ACTIVITY_INTERVAL) > at) return;
      const active_at = at.toISOString();
      const version = Number(item?.version ?? 0);
      const poll = { ...of, polled_until: known?.polled_until ?? since.toISOString(), active_at, version: version + 1 };
      await putWithNonce(this.#table, toItem(poll, at), item ? { eq: ['version', version] } : { absent: 'pk' });
    });
  }

  async get(orgId: string, connectionId: string): Promise<DisputePoll | undefined> {
    const item = await this.#table.get(keys.disputePoll(orgId, connectionId), { consistent: true });
    return item && fromItem(item);
  }

  async save(poll: DisputePoll, next: Date): Promise<boolean> {
    return (await putWithNonce(this.#table, toItem(poll, next), { eq: ['version', poll.version - 1] })).ok;
  }

  async stop({ org_id, connection_id, version }: DisputePoll): Promise<void> {
    this.#started.forget(nameOf({ org_id, connection_id }));
    const key = keys.disputePoll(org_id, connection_id);
    const stopped: Item = { ...key, item_type: 'dispute_poll', stopped: true, version: version + 1 };
    await putWithNonce(this.#table, stopped, { eq: ['version', version] });
  }
}

/** Merchants choose the ids of connections, so other organizations may have the same. */
const nameOf = ({ org_id, connection_id }: Pick<DisputePoll, 'org_id' | 'connection_id'>): string =>
  `${org_id} ${connection_id}`;

/** Undefined if it was stopped. */
function fromItem(item: Item): DisputePoll | undefined {
  if (item.stopped === true) return undefined;
  const { org_id, connection_id, polled_until, active_at, version } = item as unknown as DisputePoll;
  return { org_id, connection_id, polled_until, active_at, version };
}

const toItem = (poll: DisputePoll, next: Date): Item => ({
  ...keys.disputePoll(poll.org_id, poll.connection_id),
  item_type: 'dispute_poll',
  ...poll,
  ...dueEntry(next.toISOString(), poll.connection_id),
});
