const systemGroupNames: Readonly<Record<string, string>> = {
  'role:nobody': 'Nobody',
  'role:owners': 'Owners',
  'role:administrators': 'Administrators',
  'role:moderators': 'Administrators and moderators',
  'role:fullmembers': 'Full members',
  'role:members': 'Everyone except guests',
  'role:everyone': 'Everyone, including guests',
  'role:internet': 'Everyone on the internet',
};

/** The name of a group for people. */
export const groupName = (name: string): string => systemGroupNames[name] ?? name;
