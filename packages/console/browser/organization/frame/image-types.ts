/** Files that the server takes as an image, for the attribute `accept`. */
export const IMAGE_TYPES = 'image/png,image/jpeg,image/gif,image/webp';
