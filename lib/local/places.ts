export type PlacesOptions = {
  /** How many may work at once. */
  readonly places: number;
  /** Who has been at it for so long only waits for somebody else, and gives its place up. */
  readonly patienceMs?: number;
  /** So many may wait without a place; who comes after them keeps it until there is room. */
  readonly mostWaiting?: number;
  /** Told when there is a place again. */
  readonly onRoom: () => void;
};

export type Places = {
  readonly room: () => number;
  /** Takes a place; answers how to leave. */
  readonly take: () => () => void;
};

/** Who works, and who only waits. */
export function makePlaces({ places, patienceMs, mostWaiting = 0, onRoom }: PlacesOptions): Places {
  let working = 0;
  let waiting = 0;

  function take(): () => void {
    let works = true;
    working += 1;
    const giveUp = () => {
      if (waiting >= mostWaiting) return;
      clearInterval(timer);
      works = false;
      working -= 1;
      waiting += 1;
      onRoom();
    };
    const timer = patienceMs === undefined ? undefined : setInterval(giveUp, patienceMs);
    return () => {
      clearInterval(timer);
      if (works) working -= 1;
      else waiting -= 1;
      onRoom();
    };
  }
  return { room: () => places - working, take };
}
