export interface FieldLimits {
  readonly min: number;
  readonly max: number;
}

/** Sizes of what people write. With others, nobody could read the page on which they are changed. */
export const fontSizes: FieldLimits = { min: 10, max: 32 };
/** Heights of lines, in percent of the font size. */
export const lineHeights: FieldLimits = { min: 100, max: 250 };

export const within = (value: number, { min, max }: FieldLimits): number =>
  Math.min(Math.max(value, min), max);
