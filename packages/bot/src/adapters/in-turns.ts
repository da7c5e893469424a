/** Who works longer than this does not hold back what others have done, in milliseconds. */
const PATIENCE_MS = 1;

/**
 * Collects what arrives in one turn of the event loop, works on it all, and hands the results out
 * after that. To read, to work and to write in turn for each has the processor forget the code of the
 * other two: on a busy server it takes less time to do one kind after the other.
 */
export function inTurns<T, R>(
  work: (item: T) => R,
  handOut: (item: T, result: R) => void,
): (item: T) => void {
  let arrived: T[] = [];

  const turn = () => {
    const items = arrived;
    arrived = [];
    let done: [T, R][] = [];
    let begun = performance.now();
    for (const item of items) {
      done.push([item, work(item)]);
      if (performance.now() - begun < PATIENCE_MS) continue;
      for (const [one, result] of done) handOut(one, result);
      done = [];
      begun = performance.now();
    }
    for (const [one, result] of done) handOut(one, result);
  };

  return (item) => {
    if (arrived.length === 0) setImmediate(turn);
    arrived.push(item);
  };
}
