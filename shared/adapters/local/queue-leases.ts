import type { QueueName } from '#shared/ports/queue.port.ts';

type Lease = { readonly id: number; readonly queue: QueueName; readonly group: string };
type HeldLease = Lease & { readonly until: number; counts: boolean };

/**
 * Leases of messages, in memory: a restart releases all. They expire by real time: moving the service's clock must not
 * deliver messages that are being processed.
 */
export function queueLeases(life: number, monotonic: () => number) {
  const leases = new Map<number, HeldLease>();
  const byGroup = new Map<string, number>();
  const count = ({ queue, group }: Omit<Lease, 'id'>) => byGroup.get(`${queue} ${group}`) ?? 0;
  const add = (lease: Lease, n: 1 | -1) => {
    const [name, left] = [`${lease.queue} ${lease.group}`, count(lease) + n];
    if (left > 0) byGroup.set(name, left);
    else byGroup.delete(name);
  };
  function uncount(id: number): void {
    const lease = leases.get(id);
    if (!lease?.counts) return;
    lease.counts = false;
    add(lease, -1);
  }
  return {
    take(lease: Lease): void {
      leases.set(lease.id, { ...lease, until: monotonic() + life, counts: true });
      add(lease, 1);
    },
    /** Its consumer has ended: another message of the group may be handed out. The message itself is still leased. */
    uncount,
    free(id: number): void {
      uncount(id);
      leases.delete(id);
    },
    get: (id: number): Lease | undefined => leases.get(id),
    /** Expired leases, whose consumers count as dead. All have the same length, so the oldest come first. */
    overdue(): string[] {
      const ids: string[] = [];
      for (const { id, until } of leases.values()) {
        if (until > monotonic()) break;
        ids.push(String(id));
      }
      return ids;
    },
    count: () => leases.size,
    countOf: count,
  };
}
