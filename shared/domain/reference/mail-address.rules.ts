/**
 * Mail addresses are case-insensitive in practice: a capital letter must neither make a second user nor evade a list.
 */
export const normalEmail = (email: string): string => email.trim().toLowerCase();
