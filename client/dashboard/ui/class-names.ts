/** Joins what is set: `classNames('button', isBig && 'big')`. */
export const classNames = (...names: readonly (string | false | undefined)[]): string =>
  names.filter(Boolean).join(' ');
