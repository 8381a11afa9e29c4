import type { TablePort } from '#shared/store/table/table.port.ts';
import type { TestHost } from '#test/support/host.ts';

/** Before or after the nth table call of a function group from now on. */
export type Stop = { readonly group: string; readonly nth: number; readonly when: 'before' | 'after' };

type Held = { readonly stop: Stop; left: number; readonly reached: () => void; readonly opened: Promise<void> };

/**
 * Lets two invocations take turns: one is blocked at a table call until the other one has reached its stop.
 */
export class Turns {
  #group = '';
  #held: Held[] = [];

  /** Wraps the service's table. */
  readonly through = (table: TablePort): TablePort =>
    new Proxy(table, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...args: readonly unknown[]) => {
          const mine = this.#held.filter(({ stop }) => stop.group === this.#group);
          for (const held of mine) held.left -= 1;
          const held = mine.find(({ left }) => left === 0);
          if (held?.stop.when === 'before') await stand(held);
          const done: unknown = await member.apply(target, args);
          if (held?.stop.when === 'after') await stand(held);
          return done;
        };
      },
    });

  /** Called with the group before each of its calls. */
  follow(host: TestHost): void {
    host.onCall(({ group }) => {
      this.#group = group;
    });
  }

  /**
   * `first` runs to its stop; then `second` runs to its own stop or its end; then both run to their ends.
   */
  async take<A, B>(
    first: { readonly stop: Stop; readonly run: () => Promise<A> },
    second: { readonly stop?: Stop; readonly run: () => Promise<B> },
  ) {
    const one = this.#hold(first.stop);
    const doing = first.run();
    // An invocation that ends without that call blocks nobody.
    await Promise.race([one.reached, doing.then(one.open)]);
    const other = second.stop && this.#hold(second.stop);
    const also = second.run();
    await Promise.race([also, ...(other ? [other.reached] : [])]);
    one.open();
    const did = await doing;
    other?.open();
    return [did, await also] as const;
  }

  #hold(stop: Stop) {
    const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held: Held = { stop, left: stop.nth, reached: reached.resolve, opened: opened.promise };
    this.#held.push(held);
    const open = () => {
      this.#held = this.#held.filter((each) => each !== held);
      opened.resolve();
    };
    return { reached: reached.promise, open };
  }
}

async function stand({ reached, opened }: Held): Promise<void> {
  reached();
  await opened;
}
