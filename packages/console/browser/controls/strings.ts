export const strings = {
  retry: 'Try again',
  copy: 'Copy',
  copied: 'Copied',
  close: 'Close',
  dismiss: 'Dismiss',
};
