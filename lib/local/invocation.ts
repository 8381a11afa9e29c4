import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A function's outgoing calls. No faults are injected for `receiver`, an organization's own server, whose answers are
 * set directly, nor for `mail`.
 */
export type CallPoint = 'table' | 'queue' | 'vault' | 'psp' | 'bus' | 'receiver' | 'mail';

/** Called when a call is made, and when its response arrives. */
export type CallListener = (call: Call, ended: Promise<void>) => void;

export type Call = { readonly point: CallPoint; readonly method: string; readonly group: string };

/** A fault in a call: the invocation dies there, or the call throws; before or after it was made. */
export type CallFault = { readonly when: 'before' | 'after'; readonly effect: 'crash' | Error };

type Invocation = { readonly group: string; over: boolean; readonly crash: () => void };

export class InvocationCrashed extends Error {
  override readonly name = 'InvocationCrashed';
}

export class InvocationTimedOut extends Error {
  override readonly name = 'InvocationTimedOut';
}

const never = (): Promise<never> => new Promise(() => {});

/** Runs handlers as Lambda does, and intercepts their calls. Calls outside of any invocation pass through. */
export class Invocations {
  readonly #current = new AsyncLocalStorage<Invocation>();
  readonly #running = new Set<Invocation>();
  readonly #listeners = new Set<CallListener>();
  readonly faultFor: (call: Call) => CallFault | undefined;

  constructor(faultFor: (call: Call) => CallFault | undefined = () => undefined) {
    this.faultFor = faultFor;
  }

  /** An ended invocation is like a frozen process: what it left running makes no more calls. */
  invoke<T>(group: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const end = (settle: () => void) => {
      if (invocation.over) return;
      invocation.over = true;
      clearTimeout(timer);
      this.#running.delete(invocation);
      settle();
    };
    const invocation: Invocation = {
      group,
      over: false,
      crash: () => end(() => reject(new InvocationCrashed(`An invocation of ${group} crashed.`))),
    };
    const timer = setTimeout(
      () => end(() => reject(new InvocationTimedOut(`An invocation of ${group} took over ${timeoutMs} ms.`))),
      timeoutMs,
    );
    this.#running.add(invocation);
    this.#current
      .run(invocation, async () => work())
      .then(
        (value) => end(() => resolve(value)),
        (error) => end(() => reject(error)),
      );
    return promise;
  }

  /** The function whose invocation this is called in. */
  get group(): string | undefined {
    return this.#current.getStore()?.group;
  }

  /** Makes one outgoing call. Once the invocation has ended, calls are not made and results are dropped. */
  async call<T>(point: CallPoint, method: string, makeCall: () => Promise<T>): Promise<T> {
    const invocation = this.#current.getStore();
    if (!invocation) return makeCall();
    if (invocation.over) return never();
    const call: Call = { point, method, group: invocation.group };
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    for (const listener of this.#listeners) listener(call, ended);
    const interference = this.faultFor(call);
    if (interference?.when === 'before') return inject(interference, invocation);
    const result = await captureResult(makeCall);
    end();
    if (interference && !invocation.over) return inject(interference, invocation);
    return invocation.over ? never() : result();
  }

  /** Reports every call made in an invocation. Returns the function to unsubscribe. */
  onCall(listener: CallListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Crashes all invocations, as the end of the process would. */
  crashAll(): void {
    for (const { crash } of [...this.#running]) crash();
  }
}

function inject({ effect }: CallFault, { crash }: Invocation): Promise<never> {
  if (effect !== 'crash') throw effect;
  crash();
  return never();
}

function captureResult<T>(makeCall: () => Promise<T>): Promise<() => T> {
  return makeCall().then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error;
    },
  );
}

/** The port, with its calls going through the current invocation. */
export function intercepted<T extends object>(invocations: Invocations, point: CallPoint, port: T): T {
  const methods = new Map<string | symbol, unknown>();
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const known = methods.get(name);
      if (known) return known;
      const method = (...args: readonly unknown[]) =>
        invocations.call(point, String(name), async () => member.apply(target, args));
      methods.set(name, method);
      return method;
    },
  });
}
