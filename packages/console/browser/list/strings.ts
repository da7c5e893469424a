export const strings = {
  loading: 'Loading',
  next: 'Next row',
  before: 'Row before',
};
