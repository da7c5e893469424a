export const strings = {
  copyPath: (path: string) => `Copy the path ${path}`,
  fold: 'Fold',
  unfold: 'Unfold',
  more: (count: number) => `${count} more`,
};
