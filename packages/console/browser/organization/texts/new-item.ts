/** The last name of the path of a row that does not exist yet. */
export const NEW = 'new';
