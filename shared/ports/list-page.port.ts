export type ListPage<T> = { readonly items: readonly T[]; readonly next: string | undefined };
