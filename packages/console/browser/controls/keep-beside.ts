/**
 * Keeps a panel below its anchor, or above where there is no room, while the page scrolls and changes.
 * Returns how to stop that.
 */
export function keepBeside(anchor: Element, panel: HTMLElement): () => void {
  let stop = () => {};
  let isStopped = false;
  void import('@floating-ui/dom').then(({ autoUpdate, computePosition, flip, offset, shift }) => {
    if (isStopped) return;
    const place = async () => {
      const { x, y } = await computePosition(anchor, panel, {
        strategy: 'fixed',
        placement: 'bottom-start',
        middleware: [offset(4), flip({ padding: 8 }), shift({ padding: 8 })],
      });
      Object.assign(panel.style, { left: `${x}px`, top: `${y}px` });
    };
    stop = autoUpdate(anchor, panel, () => void place());
  });
  return () => {
    isStopped = true;
    stop();
  };
}
