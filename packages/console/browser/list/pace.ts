/** How many rows enter a list in its first frame. */
export const FIRST_PACE = 4;

const MOST = 12;
const LEAST = 3;
/** The share of a frame for scripts and layout, in milliseconds; painting takes about as long again. */
const FRAME_MS = 8;

/** How many rows enter a list in the next frame, from how many did in one and how long that took. */
export const pace = (rows: number, ms: number): number =>
  ms > FRAME_MS ? Math.max(LEAST, Math.floor(rows / 2)) : Math.min(MOST, rows + 1);
