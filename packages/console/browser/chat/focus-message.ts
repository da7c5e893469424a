/** Gives the focus to a message that is on the page. */
export const focusMessage = (id: number): void => rowOf(id)?.focus();

/** Whether a message is on the page, in sight or near to it. */
export const isMessageShown = (id: number): boolean => rowOf(id) !== null;

const rowOf = (id: number) => document.querySelector<HTMLElement>(`[data-message="${id}"]`);
