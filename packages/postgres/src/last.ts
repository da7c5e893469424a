/** A query sent together with COMMIT. Its rows can be read after the commit. */
export interface Last<Row> {
  readonly rows: Row[];
}
