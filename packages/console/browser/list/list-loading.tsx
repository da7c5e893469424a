import './list-loading.css';

/** The place of rows that are being fetched. Appears after 300 ms, so that a fast answer does not flicker. */
export const ListLoading = () => (
  <div class="list-loading" role="status">
    <span class="visually-hidden">Loading</span>
  </div>
);
