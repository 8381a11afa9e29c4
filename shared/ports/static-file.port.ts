/** A file that is the same for everybody. */
export type StaticFile = {
  readonly contentType: string;
  /** The file as it is, and the same compressed with gzip. */
  readonly body: Buffer;
  readonly gzipped: Buffer;
  /** Of the content: the same content always has the same tag, quoted as in the header. */
  readonly etag: string;
};
