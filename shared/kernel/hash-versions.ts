import { timingSafeEqual } from '#shared/kernel/text.ts';

/** A secret of hashes, with its version. */
export type VersionedSecret = { readonly version: number; readonly secret: string };

/**
 * While a secret of hashes is being replaced, and afterwards (ADR 54). Without it, every hash is of version 1.
 */
export type HashRotation = {
  /** The version of the secret that new hashes are made with. */
  readonly version: number;
  /**
   * The version that other processes may make new hashes with now. Before the change this is the next one, and after it
   * the previous one. Idempotency keys are looked for under both.
   */
  readonly beside?: VersionedSecret;
  /** The secrets of all other versions that stored hashes may be of, newest first. */
  readonly others: readonly VersionedSecret[];
};

/** Which versions of a secret are in use, as the settings of a deployment say it. */
export type HashVersions = {
  /** Makes new hashes. */
  readonly current: number;
  /** Becomes the current one with the next deployment: announced, so that every process can read its hashes. */
  readonly next?: number;
  /** Was the current one until this deployment. */
  readonly previous?: number;
  /** Earlier ones that long-lived hashes may still be of. */
  readonly former?: readonly number[];
};

export const FIRST_HASH_VERSION = 1;

/** Its hashes look as they did before there were versions: they have no marker. */
const isFirst = (version: number): boolean => version === FIRST_HASH_VERSION;

/** Neither base 64 nor hex, and allowed in addresses and cookies. */
const MARKER = /^v(\d{1,4})~/;

export const withVersion = (version: number, hash: string): string => (isFirst(version) ? hash : `v${version}~${hash}`);

function versionOf(marked: string): { readonly version: number; readonly hash: string } {
  const [marker = '', version = FIRST_HASH_VERSION] = MARKER.exec(marked) ?? [];
  return { version: Number(version), hash: marked.slice(marker.length) };
}

/** The hash as a process stores or sends it, of this version or of the current one. */
export function versionedHash(
  secret: string,
  { version, others }: HashRotation,
  make: (secret: string) => string,
  of = version,
): string {
  const other = others.find((each) => each.version === of);
  return other ? withVersion(of, make(other.secret)) : withVersion(version, make(secret));
}

/** Whether `marked` is the hash that `make` makes with the secret of the version that it names. */
export function isHashOf(
  marked: string,
  secret: string,
  rotation: HashRotation | undefined,
  make: (secret: string) => string,
): boolean {
  const { version, hash } = versionOf(marked);
  const { version: current, others } = rotation ?? { version: FIRST_HASH_VERSION, others: [] };
  const used = version === current ? secret : others.find((each) => each.version === version)?.secret;
  return used !== undefined && timingSafeEqual(hash, make(used));
}

/** The previous secret, while other processes may still make hashes with it. */
export function previousSecret(rotation: HashRotation | undefined): string | undefined {
  const { version = 0, beside } = rotation ?? {};
  return beside && beside.version < version ? beside.secret : undefined;
}

/** The next secret, if other processes may already make hashes with it. */
export function nextSecret(rotation: HashRotation | undefined): string | undefined {
  const { version = 0, beside } = rotation ?? {};
  return beside && beside.version > version ? beside.secret : undefined;
}

/** The secrets that new hashes may be made with now, the newest version last. */
export function byAge(secret: string, rotation: HashRotation | undefined): readonly string[] {
  const [previous, next] = [previousSecret(rotation), nextSecret(rotation)];
  return [previous, secret, next].filter((each) => each !== undefined);
}

const HIGHEST = 9_999;
const RULE =
  'Write the version that makes new hashes, a comma and the version beside it (the next or the previous one), and ' +
  'after a semicolon earlier ones, such as "1", "1,2", "2,1" or "3,2;1".';

/** Reads the form that variables have: `current[,beside][;former[,former…]]`. Throws an error that says the form. */
export function parseHashVersions(text: string): HashVersions {
  const [inUse = '', formerOnes, ...more] = text.split(';');
  const numbers = (list: string) => list.split(',').map((each) => (/^[1-9]\d{0,3}$/.test(each) ? Number(each) : 0));
  const [current = 0, beside, ...others] = numbers(inUse);
  const former = formerOnes === undefined ? [] : numbers(formerOnes);
  if (more.length + others.length > 0) throw new Error(`${JSON.stringify(text)} has too many parts. ${RULE}`);
  const found: HashVersions = {
    current,
    ...(beside !== undefined && (beside > current ? { next: beside } : { previous: beside })),
    ...(former.length > 0 && { former }),
  };
  const fault = hashVersionsFault(found);
  if (fault !== undefined) throw new Error(`${JSON.stringify(text)}: ${fault} ${RULE}`);
  return found;
}

export function formatHashVersions({ current, next, previous, former = [] }: HashVersions): string {
  const inUse = [current, next ?? previous].filter((each) => each !== undefined).join(',');
  return [inUse, ...(former.length > 0 ? [former.join(',')] : [])].join(';');
}

/** What is wrong with these versions; undefined if nothing is. */
export function hashVersionsFault({ current, next, previous, former = [] }: HashVersions): string | undefined {
  const all = [current, ...[next, previous].filter((each) => each !== undefined), ...former];
  if (all.some((each) => !Number.isInteger(each) || each < 1 || each > HIGHEST))
    return `Versions are whole numbers from 1 to ${HIGHEST}.`;
  if (new Set(all).size < all.length) return 'A version is named twice.';
  if (next !== undefined && previous !== undefined) return 'A change has either a next or a previous version.';
  if (next !== undefined && next < current) return `The next version must be higher than ${current}.`;
  if ([...(previous === undefined ? [] : [previous]), ...former].some((each) => each > current))
    return `Earlier versions must be lower than ${current}.`;
  return undefined;
}

/** All versions but the current one, newest first. */
const otherVersions = ({ next, previous, former = [] }: HashVersions): readonly number[] =>
  [next, previous, ...former].filter((each) => each !== undefined).sort((a, b) => b - a);

export const allVersions = (versions: HashVersions): readonly number[] => [
  versions.current,
  ...otherVersions(versions),
];

/** The secrets beside the current one. Undefined for version 1 alone, with which no hash needs a marker. */
export function rotationOf(versions: HashVersions, secretOf: (version: number) => string): HashRotation | undefined {
  const others = otherVersions(versions).map((version) => ({ version, secret: secretOf(version) }));
  if (isFirst(versions.current) && others.length === 0) return undefined;
  const beside = others.find(({ version }) => version === (versions.next ?? versions.previous));
  return { version: versions.current, others, ...(beside && { beside }) };
}
