import type { QueueName } from '#shared/ports/queue.port.ts';

export type Lease = { readonly id: number; readonly queue: QueueName; readonly group: string };

/**
 * Who is working on what, in the memory of this process: a restart releases all. A lease ends by real time, as moving
 * the service's clock by a month must not hand out again what a consumer is working on.
 */
export function queueLeases(life: number, monotonic: () => number) {
  const held = new Map<number, Lease & { readonly until: number }>();
  return {
    take(lease: Lease): void {
      held.set(lease.id, { ...lease, until: monotonic() + life });
    },
    /** Whether it was held. */
    free: (id: number): boolean => held.delete(id),
    /** Of all queues. */
    ids: (): number[] => [...held.keys()],
    /** Held for too long: their consumers are taken for dead. */
    overdue: (): number[] => [...held.values()].filter(({ until }) => until <= monotonic()).map(({ id }) => id),
    count: (matching: (lease: Lease) => boolean = () => true): number => [...held.values()].filter(matching).length,
  };
}
