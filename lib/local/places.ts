type PlacesOptions = {
  /** How many may hold a place at once. */
  readonly places: number;
  /** After this time a task is assumed to be waiting for another server, and gives its place up. */
  readonly patienceMs?: number;
  /** How many may wait without a place; further ones keep theirs until there is room. */
  readonly mostWaiting?: number;
  /** Called when there is a free place. */
  readonly onRoom: () => void;
};

type Places = {
  readonly room: () => number;
  /** Takes a place; answers the function that leaves. */
  readonly take: () => () => void;
};

/** Limits concurrent work, and tells it apart from mere waiting. */
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
