/**
 * Loads code of the console for a place on the page. A browser may keep that it could not be loaded, and
 * its styles are asked for once: only a new page loads it.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new Error('This part of the page could not be loaded.', { cause });
  }
}

export const reloadPage = (): void => location.reload();
