/** The titles that are of this module. */
const titled = new WeakSet<HTMLElement>();

/** Shows the whole of a text that has no room, when the pointer is over it. */
export function showWholeTexts(): void {
  addEventListener('pointerover', ({ target }) => {
    const text = (target as Element).closest?.<HTMLElement>('.clip');
    if (!text || (text.title !== '' && !titled.has(text))) return;
    text.title = text.scrollWidth > text.clientWidth ? (text.textContent ?? '') : '';
    titled.add(text);
  });
}
