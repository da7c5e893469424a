import './list-loading.css';
import { strings } from './strings.ts';

/** The place of rows that are being fetched. Appears after 300 ms, so that a fast answer does not flicker. */
export const ListLoading = () => (
  <div class="list-loading" role="status">
    <span class="visually-hidden">{strings.loading}</span>
  </div>
);
