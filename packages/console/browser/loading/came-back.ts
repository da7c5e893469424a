import { signal } from '@preact/signals';

/** Increases when the server answers again after it did not: what could not be fetched is fetched then. */
export const cameBack = signal(0);
