/** Makes one dependency of `Deps` from what a host has. */
export type Part<Base, T = unknown> = (base: Base) => T;
export type Parts<Base> = Readonly<Record<string, Part<Base>>>;

/** The dependencies that parts make, by the same names. */
export type Built<P> = { readonly [K in keyof P]: P[K] extends (base: never) => infer T ? T : never };

export const build = <Base, P extends Parts<Base>>(parts: P, base: Base): Built<P> =>
  Object.fromEntries(Object.entries(parts).map(([name, make]) => [name, make(base)])) as Built<P>;
