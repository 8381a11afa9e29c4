import type { QueueName } from '#shared/ports/queue.port.ts';

type Lease = { readonly id: number; readonly queue: QueueName; readonly group: string };

/**
 * Leases of messages, in memory: a restart releases all. They expire by real time, as moving the service's clock by a
 * month must not hand out messages that are being worked on.
 */
export function queueLeases(life: number, monotonic: () => number) {
  const held = new Map<number, Lease & { readonly until: number }>();
  const byGroup = new Map<string, number>();
  const count = ({ queue, group }: Omit<Lease, 'id'>) => byGroup.get(`${queue} ${group}`) ?? 0;
  const add = (lease: Lease, n: 1 | -1) => {
    const [name, left] = [`${lease.queue} ${lease.group}`, count(lease) + n];
    if (left > 0) byGroup.set(name, left);
    else byGroup.delete(name);
  };
  return {
    take(lease: Lease): void {
      held.set(lease.id, { ...lease, until: monotonic() + life });
      add(lease, 1);
    },
    free(id: number): void {
      const lease = held.get(id);
      if (lease) add(lease, -1);
      held.delete(id);
    },
    get: (id: number): Lease | undefined => held.get(id),
    /** Expired leases: their consumers are taken for dead. All have the same length, so the oldest come first. */
    overdue(): string[] {
      const ids: string[] = [];
      for (const { id, until } of held.values()) {
        if (until > monotonic()) break;
        ids.push(String(id));
      }
      return ids;
    },
    count: () => held.size,
    countOf: count,
  };
}
