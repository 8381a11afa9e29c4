type SemaphoreOptions = {
  readonly permits: number;
  /** A holder that takes longer is assumed to wait for another server: its permit is released. */
  readonly maxHoldMs?: number;
  /** How many may wait without a permit. Beyond that, holders keep theirs. */
  readonly maxWaiting?: number;
  /** Called when a permit becomes free. */
  readonly onFree: () => void;
};

type Semaphore = {
  readonly free: () => number;
  /** Takes a permit and returns the function that releases it. */
  readonly acquire: () => () => void;
};

/** Limits concurrent work without counting tasks that only wait for another server. */
export function createSemaphore({ permits, maxHoldMs, maxWaiting = 0, onFree }: SemaphoreOptions): Semaphore {
  let working = 0;
  let waiting = 0;

  function acquire(): () => void {
    let holdsPermit = true;
    working += 1;
    const releaseEarly = () => {
      if (waiting >= maxWaiting) return;
      clearInterval(timer);
      holdsPermit = false;
      working -= 1;
      waiting += 1;
      onFree();
    };
    const timer = maxHoldMs === undefined ? undefined : setInterval(releaseEarly, maxHoldMs);
    return () => {
      clearInterval(timer);
      if (holdsPermit) working -= 1;
      else waiting -= 1;
      onFree();
    };
  }
  return { free: () => permits - working, acquire };
}
